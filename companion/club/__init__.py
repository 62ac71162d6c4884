"""Many tables, one venue: what they say to each other over a broker, what the venue keeps, and its tournaments."""
