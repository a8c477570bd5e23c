"""TravelPlanner, sole planning: data, the official evaluator, and an environment."""
