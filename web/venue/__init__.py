"""The pages of a venue: wall, desk, pairings, standings, registration, and any table as its own page shows it."""
