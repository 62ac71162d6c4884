"""Match, kifu, referee and command line: everything about refereeing that is not pixels, wires or pages."""
