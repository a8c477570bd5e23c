"""TextWorld's own games (cooking, treasure, hunt), made by `tw-make` and cached."""
