"""Addresses and networks that whoever runs the server has named."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Iterator

from hotdice.errors import HotdiceError

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class Networks:
    """Some addresses and networks, such as 10.0.0.2 and 10.0.0.0/24; `refusal` is said if they are something else."""

    def __init__(self, named: Iterable[str] = (), refusal: str = "") -> None:
        try:
            self._networks = tuple(ipaddress.ip_network(text.strip(), strict=False) for text in named)
        except ValueError:
            raise HotdiceError(refusal) from None

    def __iter__(self) -> Iterator[str]:
        return map(str, self._networks)

    def __contains__(self, host: object) -> bool:
        address = parsed(str(host))
        return address is not None and any(address in network for network in self._networks)


def parsed(host: str) -> Address | None:
    """The address of a peer; None if it has none, as a socket of this machine's."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address
