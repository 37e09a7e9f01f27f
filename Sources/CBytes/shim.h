// Scans many bytes at once: with SSE2, which every x86-64 processor has, and in portable C on all others. Swift's own
// SIMD types compile such comparisons lane by lane. Both versions give the same results for all bytes; a test compares
// them.
#ifndef CBYTES_SHIM_H
#define CBYTES_SHIM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/// JSON's structural characters in 64 bytes. Bit `i` of a mask stands for byte `i`.
typedef struct {
    /// Positions of `"`.
    uint64_t quotes;
    /// Positions of `{ } [ ]`.
    uint64_t brackets;
    /// Nonzero if there is a `\`.
    uint32_t backslash;
    /// Nonzero if there is a byte below U+0020.
    uint32_t control;
} clover_structure;

/// The tokens of JSON without escapes in 64 bytes. Bit `i` of a mask stands for byte `i`.
typedef struct {
    /// Positions of `"`.
    uint64_t quotes;
    /// Positions of `{ } [ ]`.
    uint64_t brackets;
    /// Positions of `,`.
    uint64_t commas;
    /// Positions of `:`.
    uint64_t colons;
    /// Positions of `0` to `9`.
    uint64_t digits;
    /// Positions of bytes that are not ASCII.
    uint64_t high;
    /// Nonzero if there is a `\` or a byte below U+0020.
    uint32_t odd;
} clover_tokens;

/// `clover_tokens_of`, byte by byte.
static inline clover_tokens clover_portable_tokens_of(const void *_Nonnull bytes) {
    const uint8_t *byte = (const uint8_t *)bytes;
    clover_tokens found = {0, 0, 0, 0, 0, 0, 0};
    for (int place = 0; place < 64; place++) {
        const uint64_t bit = (uint64_t)1 << place;
        switch (byte[place]) {
        case '"': found.quotes |= bit; break;
        case '{': case '}': case '[': case ']': found.brackets |= bit; break;
        case ',': found.commas |= bit; break;
        case ':': found.colons |= bit; break;
        case '\\': found.odd = 1; break;
        default:
            if (byte[place] < 0x20) found.odd = 1;
            if (byte[place] >= 0x80) found.high |= bit;
            if (byte[place] >= '0' && byte[place] <= '9') found.digits |= bit;
        }
    }
    return found;
}

/// `clover_structure_of`, byte by byte.
static inline clover_structure clover_portable_structure_of(const void *_Nonnull bytes) {
    const uint8_t *byte = (const uint8_t *)bytes;
    clover_structure found = {0, 0, 0, 0};
    for (int place = 0; place < 64; place++) {
        const uint64_t bit = (uint64_t)1 << place;
        switch (byte[place]) {
        case '"': found.quotes |= bit; break;
        case '{': case '}': case '[': case ']': found.brackets |= bit; break;
        case '\\': found.backslash = 1; break;
        default: if (byte[place] < 0x20) found.control = 1;
        }
    }
    return found;
}

/// `clover_places`, byte by byte.
static inline uint64_t clover_portable_places(const void *_Nonnull bytes, uint8_t wanted) {
    const uint8_t *byte = (const uint8_t *)bytes;
    uint64_t found = 0;
    for (int place = 0; place < 64; place++) found |= (uint64_t)(byte[place] == wanted) << place;
    return found;
}

/// `clover_name_ends`, byte by byte.
static inline uint64_t clover_portable_name_ends(const void *_Nonnull bytes) {
    const uint8_t *byte = (const uint8_t *)bytes;
    uint64_t found = 0;
    for (int place = 0; place < 64; place++) {
        const uint8_t before = byte[place - 1];
        found |= (uint64_t)(byte[place] == ':' && (before == '"' || before <= ' ')) << place;
    }
    return found;
}

/// `clover_pairs`, byte by byte.
static inline uint64_t clover_portable_pairs(
    const void *_Nonnull bytes, uint8_t first, size_t distance, uint8_t second) {
    const uint8_t *byte = (const uint8_t *)bytes;
    uint64_t found = 0;
    for (size_t place = 0; place < 64; place++) {
        found |= (uint64_t)(byte[place] == first && byte[place + distance] == second) << place;
    }
    return found;
}

/// `clover_count`, byte by byte.
static inline size_t clover_portable_count(const void *_Nonnull bytes, size_t count, uint8_t wanted) {
    const uint8_t *byte = (const uint8_t *)bytes;
    size_t found = 0;
    for (size_t place = 0; place < count; place++) found += byte[place] == wanted;
    return found;
}

#if defined(__SSE2__)

/// The topmost bit of each byte of the four vectors.
static inline uint64_t clover_tops(const __m128i part[4]) {
    return (uint64_t)(uint32_t)_mm_movemask_epi8(part[0]) | (uint64_t)(uint32_t)_mm_movemask_epi8(part[1]) << 16
        | (uint64_t)(uint32_t)_mm_movemask_epi8(part[2]) << 32 | (uint64_t)(uint32_t)_mm_movemask_epi8(part[3]) << 48;
}

/// The structural characters in the 64 bytes starting at `bytes`.
static inline clover_structure clover_structure_of(const void *_Nonnull bytes) {
    __m128i quotes[4], brackets[4], backslash = _mm_setzero_si128(), control = _mm_setzero_si128();
    for (int index = 0; index < 4; index++) {
        const __m128i part = _mm_loadu_si128((const __m128i *)bytes + index);
        quotes[index] = _mm_cmpeq_epi8(part, _mm_set1_epi8('"'));
        // Setting bit 5 turns square brackets into braces, and nothing else into a brace.
        const __m128i folded = _mm_or_si128(part, _mm_set1_epi8(0x20));
        brackets[index] = _mm_or_si128(
            _mm_cmpeq_epi8(folded, _mm_set1_epi8('{')), _mm_cmpeq_epi8(folded, _mm_set1_epi8('}')));
        backslash = _mm_or_si128(backslash, _mm_cmpeq_epi8(part, _mm_set1_epi8('\\')));
        control = _mm_or_si128(control, _mm_cmpeq_epi8(_mm_min_epu8(part, _mm_set1_epi8(0x1F)), part));
    }
    clover_structure found = {
        clover_tops(quotes), clover_tops(brackets), (uint32_t)_mm_movemask_epi8(backslash),
        (uint32_t)_mm_movemask_epi8(control),
    };
    return found;
}

/// The tokens of JSON without escapes in the 64 bytes starting at `bytes`.
static inline clover_tokens clover_tokens_of(const void *_Nonnull bytes) {
    __m128i quotes[4], brackets[4], commas[4], colons[4], digits[4], high[4], odd = _mm_setzero_si128();
    for (int index = 0; index < 4; index++) {
        const __m128i part = _mm_loadu_si128((const __m128i *)bytes + index);
        quotes[index] = _mm_cmpeq_epi8(part, _mm_set1_epi8('"'));
        // Setting bit 5 turns square brackets into braces, and nothing else into a brace.
        const __m128i folded = _mm_or_si128(part, _mm_set1_epi8(0x20));
        brackets[index] = _mm_or_si128(
            _mm_cmpeq_epi8(folded, _mm_set1_epi8('{')), _mm_cmpeq_epi8(folded, _mm_set1_epi8('}')));
        commas[index] = _mm_cmpeq_epi8(part, _mm_set1_epi8(','));
        colons[index] = _mm_cmpeq_epi8(part, _mm_set1_epi8(':'));
        const __m128i value = _mm_sub_epi8(part, _mm_set1_epi8('0'));
        digits[index] = _mm_cmpeq_epi8(_mm_min_epu8(value, _mm_set1_epi8(9)), value);
        odd = _mm_or_si128(odd, _mm_cmpeq_epi8(part, _mm_set1_epi8('\\')));
        odd = _mm_or_si128(odd, _mm_cmpeq_epi8(_mm_min_epu8(part, _mm_set1_epi8(0x1F)), part));
        high[index] = part;
    }
    clover_tokens found = {
        clover_tops(quotes), clover_tops(brackets), clover_tops(commas), clover_tops(colons), clover_tops(digits),
        clover_tops(high), (uint32_t)_mm_movemask_epi8(odd),
    };
    return found;
}

/// The positions of a byte in the 64 bytes starting at `bytes`.
static inline uint64_t clover_places(const void *_Nonnull bytes, uint8_t wanted) {
    __m128i equal[4];
    for (int index = 0; index < 4; index++) {
        equal[index] = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)bytes + index), _mm_set1_epi8((char)wanted));
    }
    return clover_tops(equal);
}

/// The positions of colons in the 64 bytes starting at `bytes` that follow a `"` or white space: after names, and in
/// few other places. The byte before `bytes` must be readable.
static inline uint64_t clover_name_ends(const void *_Nonnull bytes) {
    __m128i ends[4];
    for (int index = 0; index < 4; index++) {
        const __m128i part = _mm_loadu_si128((const __m128i *)bytes + index);
        const __m128i before = _mm_loadu_si128((const __m128i *)(const void *)((const uint8_t *)bytes - 1) + index);
        const __m128i isBehind = _mm_or_si128(
            _mm_cmpeq_epi8(before, _mm_set1_epi8('"')), _mm_cmpeq_epi8(_mm_min_epu8(before, _mm_set1_epi8(' ')), before));
        ends[index] = _mm_and_si128(_mm_cmpeq_epi8(part, _mm_set1_epi8(':')), isBehind);
    }
    return clover_tops(ends);
}

/// The positions in the 64 bytes starting at `bytes` with `first`, followed by `second` at a distance of `distance`
/// bytes. `64 + distance` bytes must be readable.
static inline uint64_t clover_pairs(const void *_Nonnull bytes, uint8_t first, size_t distance, uint8_t second) {
    __m128i both[4];
    const uint8_t *behind = (const uint8_t *)bytes + distance;
    for (int index = 0; index < 4; index++) {
        both[index] = _mm_and_si128(
            _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)bytes + index), _mm_set1_epi8((char)first)),
            _mm_cmpeq_epi8(
                _mm_loadu_si128((const __m128i *)(const void *)behind + index), _mm_set1_epi8((char)second)));
    }
    return clover_tops(both);
}

/// Number of occurrences of a byte in the `count` bytes starting at `bytes`.
static inline size_t clover_count(const void *_Nonnull bytes, size_t count, uint8_t wanted) {
    const uint8_t *byte = (const uint8_t *)bytes;
    size_t found = 0;
    while (count >= 16) {
        // An equal byte is -1 in its lane, which can hold up to 255.
        const size_t rounds = count / 16 < 255 ? count / 16 : 255;
        __m128i sums = _mm_setzero_si128();
        for (size_t round = 0; round < rounds; round++) {
            const __m128i part = _mm_loadu_si128((const __m128i *)(const void *)(byte + 16 * round));
            sums = _mm_sub_epi8(sums, _mm_cmpeq_epi8(part, _mm_set1_epi8((char)wanted)));
        }
        const __m128i halves = _mm_sad_epu8(sums, _mm_setzero_si128());
        found += (size_t)_mm_cvtsi128_si64(halves) + (size_t)_mm_cvtsi128_si64(_mm_srli_si128(halves, 8));
        byte += 16 * rounds;
        count -= 16 * rounds;
    }
    return found + clover_portable_count(byte, count, wanted);
}

#else

static inline clover_structure clover_structure_of(const void *_Nonnull bytes) {
    return clover_portable_structure_of(bytes);
}

static inline clover_tokens clover_tokens_of(const void *_Nonnull bytes) {
    return clover_portable_tokens_of(bytes);
}

static inline uint64_t clover_places(const void *_Nonnull bytes, uint8_t wanted) {
    return clover_portable_places(bytes, wanted);
}

static inline uint64_t clover_name_ends(const void *_Nonnull bytes) {
    return clover_portable_name_ends(bytes);
}

static inline uint64_t clover_pairs(const void *_Nonnull bytes, uint8_t first, size_t distance, uint8_t second) {
    return clover_portable_pairs(bytes, first, distance, second);
}

static inline size_t clover_count(const void *_Nonnull bytes, size_t count, uint8_t wanted) {
    return clover_portable_count(bytes, count, wanted);
}

#endif

/// The structural characters in the last `count` bytes, fewer than 64.
static inline clover_structure clover_structure_of_end(const void *_Nonnull bytes, size_t count) {
    uint8_t room[64];
    memset(room, ' ', sizeof room);
    memcpy(room, bytes, count);
    return clover_structure_of(room);
}

/// The positions of a byte in the last `count` bytes, fewer than 64.
static inline uint64_t clover_places_in_end(const void *_Nonnull bytes, size_t count, uint8_t wanted) {
    uint64_t found = 0;
    for (size_t place = 0; place < count; place++) {
        found |= (uint64_t)(((const uint8_t *)bytes)[place] == wanted) << place;
    }
    return found;
}

#endif
