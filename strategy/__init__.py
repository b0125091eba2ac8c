"""The strategy book: figures from the solved tables, and the pages and charts that are made of them."""
