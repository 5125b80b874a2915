// DejaVu Sans as part of the program, so that no file is needed to write on pictures.
    .section .rodata
    .global spindrift_font
    .global spindrift_font_end
    .balign 16
spindrift_font:
    .incbin SPINDRIFT_FONT_FILE
spindrift_font_end:
    .section .note.GNU-stack, "", %progbits
