"""One library of many domains: learned together, and played beside each domain's own library."""
