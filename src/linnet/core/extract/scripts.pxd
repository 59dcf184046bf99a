"""Scripts that are written without blanks between words: Chinese, Japanese, Thai, Lao, Khmer, Burmese, Tibetan and their kin.

Ranges hold the letters of such a script and the marks that are written above, below and around them, not its digits and
punctuation marks. Korean has blanks, and is not here.
"""

from libc.stdint cimport uint32_t


cdef inline bint is_unspaced(uint32_t ch) noexcept nogil:
    """Whether a character belongs to a word that no blank ends. It is then a token by itself."""
    if ch < 0x0E01 or 0x1AAE <= ch < 0x3005 or 0xAC00 <= ch < 0xF900:
        return False
    if ch < 0x1AAE:
        return is_south_east_asian(ch)
    if ch < 0x3400:
        return is_kana(ch) or ch <= 0x3007 or 0x3021 <= ch <= 0x302D or 0x3038 <= ch <= 0x303C
    return (
        ch <= 0x4DBF or 0x4E00 <= ch <= 0x9FFF or 0xF900 <= ch <= 0xFAD9 or 0x20000 <= ch <= 0x323AF    # Han
        or 0xA9E0 <= ch <= 0xA9EF or 0xA9FA <= ch <= 0xA9FE    # Shan
        or 0xAA60 <= ch <= 0xAA76 or 0xAA7A <= ch <= 0xAADD    # Khamti, Aiton, Tai Viet
        or 0xFF66 <= ch <= 0xFF9F or 0x1AFF0 <= ch <= 0x1B16F  # kana of half the width, old kana
    )


cdef inline bint is_south_east_asian(uint32_t ch) noexcept nogil:
    return (
        0x0E01 <= ch <= 0x0E3A or 0x0E40 <= ch <= 0x0E4E    # Thai
        or 0x0E81 <= ch <= 0x0EBD or 0x0EC0 <= ch <= 0x0ECE or 0x0EDC <= ch <= 0x0EDF   # Lao
        or 0x0F3E <= ch <= 0x0F84 or 0x0F86 <= ch <= 0x0FBC or ch == 0x0FC6     # Tibetan
        or ch == 0x0F00 or ch == 0x0F18 or ch == 0x0F19 or ch == 0x0F35 or ch == 0x0F37 or ch == 0x0F39
        or 0x1000 <= ch <= 0x103F or 0x1050 <= ch <= 0x108F or 0x109A <= ch <= 0x109D   # Burmese, Mon, Shan
        or 0x1780 <= ch <= 0x17D3 or ch == 0x17D7 or 0x17DC <= ch <= 0x17DD     # Khmer
        or 0x1950 <= ch <= 0x1974 or 0x1980 <= ch <= 0x19C9     # Tai Le, New Tai Lue
        or 0x1A20 <= ch <= 0x1A7F or ch == 0x1AA7   # Tai Tham
    )


cdef inline bint is_kana(uint32_t ch) noexcept nogil:
    return (
        0x3031 <= ch <= 0x3035
        or 0x3041 <= ch <= 0x309A or 0x309D <= ch <= 0x309F     # Hiragana
        or 0x30A1 <= ch <= 0x30FA or 0x30FC <= ch <= 0x30FF or 0x31F0 <= ch <= 0x31FF   # Katakana
        or 0x3105 <= ch <= 0x312F or 0x31A0 <= ch <= 0x31BF     # Bopomofo
    )
