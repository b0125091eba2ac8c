/* Whole games between two as plain loops that roll each die: what `python -m benchmarks simulate` compares with.

   Each function plays some games from a seed and says how many of them the first player has won. */

#include <stdint.h>

/* xorshift64*, Vigna 2016; a die is the upper bits times six. */
static inline uint32_t die(uint64_t *state) {
    uint64_t x = *state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return (uint32_t)(((x * 0x2545F4914F6CDD1Dull >> 32) * 6) >> 32);
}

int64_t pig(int64_t games, uint64_t seed, int target, int hold) {
    uint64_t random = seed * 2 + 1;
    int64_t won = 0;
    for (int64_t game = 0; game < games; game++) {
        int scores[2] = {0, 0}, seat = 0;
        for (;;) {
            int total = 0;
            while (total < hold && scores[seat] + total < target) {
                int face = (int)die(&random) + 1;
                if (face == 1) {
                    total = 0;
                    break;
                }
                total += face;
            }
            scores[seat] += total;
            if (scores[seat] >= target) break;
            seat = 1 - seat;
        }
        won += seat == 0;
    }
    return won;
}

/* BJ's dice, passing at so many points of a turn; in the last round everybody rolls until ahead. */
int64_t bj(int64_t games, uint64_t seed, int target, int limit) {
    uint64_t random = seed * 2 + 1;
    int64_t won = 0;
    for (int64_t game = 0; game < games; game++) {
        int scores[2] = {0, 0}, seat = 0, starter = -1;
        do {
            int best = scores[1 - seat], own = scores[seat], dice = 6, risk = 0, safe = 0;
            for (;;) {
                int counts[6] = {0}, points = 0, frozen = 0;
                for (int at = 0; at < dice; at++) counts[die(&random)]++;
                for (int face = 1; face <= 6; face++) {
                    int count = counts[face - 1], single = face == 1 ? 100 : face == 5 ? 50 : 0;
                    int triples = face * 100 > 3 * single ? count / 3 : 0, rest = count - 3 * triples;
                    points += triples * face * 100 + rest * single;
                    frozen += 3 * triples + (single ? rest : 0);
                }
                if (points == 0) {
                    risk = 0;
                    break;
                }
                risk += points;
                dice -= frozen;
                if (dice == 0) {
                    dice = 6;
                    safe += 500;
                }
                if (starter >= 0) {
                    if (own + risk + safe > best) break;
                } else if (risk + safe >= limit) {
                    break;
                }
            }
            scores[seat] += risk + safe;
            if (starter < 0 && scores[seat] > target) starter = seat;
            seat = 1 - seat;
        } while (seat != starter);
        won += scores[0] > scores[1] || (scores[0] == scores[1] && starter == 0);
    }
    return won;
}

/* KOR by the greedy rule: of two signs the one that leaves its player best off, and of equals the U-TURN. */
int64_t kor(int64_t games, uint64_t seed, int target) {
    enum { STOP, DEAD_END, U_TURN, NONE };
    static const int worth[6] = {0, 0, 0, 25, 50, 100};
    uint64_t random = seed * 2 + 1;
    int64_t won = 0;
    for (int64_t game = 0; game < games; game++) {
        int scores[2] = {0, 0}, turn = 0, roller = 0, penalty = 0;
        for (;;) {
            int dice = 6, points = 0, sign = NONE;
            do {
                int counts[6] = {0}, highest = 0, first = NONE, second = NONE;
                for (int at = 0; at < dice; at++) counts[die(&random)]++;
                for (int side = 0; side < 3; side++) {
                    if (counts[side] >= 3) {
                        if (first == NONE) first = side;
                        else second = side;
                    }
                }
                for (int side = 3; side < 6; side++) {
                    if (counts[side]) highest = worth[side];
                }
                if (first == NONE && highest) {
                    points += highest;
                    dice = dice > 1 ? dice - 1 : 6;
                } else if (first == NONE) {
                    sign = STOP; /* no number, and no sign three times: the turn ends with its points */
                } else if (second == NONE) {
                    sign = first;
                } else {
                    int one = first == DEAD_END ? 0 : penalty ? -points : points;
                    int two = second == DEAD_END ? 0 : penalty ? -points : points;
                    int wins = !penalty && scores[roller] + two >= target;
                    sign = two > one || (two == one && second == U_TURN && !wins) ? second : first;
                }
            } while (sign == NONE);
            if (sign == DEAD_END) points = 0;
            scores[roller] += penalty ? -points : points;
            if (!penalty && scores[turn] >= target) break;
            if (sign == U_TURN) {
                roller = 1 - roller;
                penalty = 1;
            } else {
                turn = 1 - turn;
                roller = turn;
                penalty = 0;
            }
        }
        won += turn == 0;
    }
    return won;
}
