"""Characters that can't be seen, or that change what is seen: one table for the window, commands and prompts.

From the Unicode Character Database 14.0.0 (DerivedCoreProperties.txt: Default_Ignorable_Code_Point; PropList.txt:
Bidi_Control, White_Space), © Unicode, Inc., Unicode License V3. All of Bidi_Control is default-ignorable.
"""

# Default_Ignorable_Code_Point: soft hyphen, joiners, zero-width spaces, bidi controls, fillers, selectors, tags.
DEFAULT_IGNORABLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
BIDI_CONTROLS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
# White_Space that ends a line or page, but for the line feed and carriage return.
LINE_SEPARATORS = "\x0b\x0c\x85\u2028\u2029"
CONTROLS = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
# Not default-ignorable, yet without ink: the annotation characters and the blank Braille pattern.
OTHERS_WITHOUT_INK = "\u2800\ufff9-\ufffb"
"""Each of these is the inside of a regular expression's character class."""
