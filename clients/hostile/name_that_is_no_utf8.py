"""Has bytes in its name that are not UTF-8."""

from wire import Line, World, run


def main(world: World) -> None:
    hello = b"\x08\x01\x12\x02\xff\xfe"  # protocol 1, and a name of two bytes
    Line(world, hello=b"\x12" + bytes([len(hello)]) + hello).drain()


if __name__ == "__main__":
    run(main)
