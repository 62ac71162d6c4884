"""The language in which an owner writes ability cards: structs, reader, writer."""
