"""What whoever runs the server asks it: whether it is alive, whether it can do its work, and its figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fastapi import APIRouter, Request, Response

from hotdice import __version__
from hotdice.server.api.answers import EVERYWHERE
from hotdice.server.api.models import CheckShown, Health, Readiness
from hotdice.server.metrics import CONTENT_TYPE
from hotdice.server.networks import Networks, parsed
from hotdice.server.refusals import Refusal

FORWARDED: Final = ("forwarded", "x-forwarded-for", "x-real-ip")
router = APIRouter()


class NotLocal(Refusal):
    """Figures that are for this machine, or for certain addresses."""

    answer = "not_local"
    status = 403


def readers(named: Sequence[str]) -> Networks:
    """Who may read the figures, besides this machine."""
    return Networks(named, "--metrics takes an address or a network, such as 10.0.0.7 or 10.0.0.0/8.")


@router.get("/api/health", responses=EVERYWHERE)
async def health() -> Health:
    """Whether the server answers."""
    return Health(status="ok", version=__version__)


@router.get(
    "/api/ready",
    responses={**EVERYWHERE, 503: {"model": Readiness, "description": "Something that the server needs is away"}},
)
async def ready(request: Request, response: Response) -> Readiness:
    """Whether the server can do its work: the database writes, Redis answers, and the disk has room."""
    checks = await request.app.state.readiness.checks()
    is_ready = not any(check.problem for check in checks)
    response.status_code = 200 if is_ready else 503
    shown = [CheckShown(name=check.name, ok=not check.problem, message=check.problem) for check in checks]
    return Readiness(ready=is_ready, checks=shown)


@router.get("/metrics", include_in_schema=False)
async def metrics(request: Request) -> Response:
    """The server's figures, as Prometheus reads them."""
    _check_reader(request)
    return Response(await request.app.state.figures(), media_type=CONTENT_TYPE)


def _check_reader(request: Request) -> None:
    """Refuse whoever may not read the figures."""
    host = request.client.host if request.client else ""
    if host not in request.app.state.readers and not is_local(request):
        raise NotLocal("Only this machine may read these figures; --metrics names others that may.")


def is_local(request: Request) -> bool:
    """Whether a request is from this machine. What a proxy on it hands on is not."""
    address = parsed(request.client.host) if request.client else None
    return bool(address and address.is_loopback) and not any(name in request.headers for name in FORWARDED)
