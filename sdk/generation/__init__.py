"""From a prompt and a cursor to text: models, masks, samplers, drafts, the loop, and unbiased draws."""
