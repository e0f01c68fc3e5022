"""What a host can watch: figures for Prometheus, a line of JSON for each night, and the overview again and again."""
