"""From a prompt and a matcher to text: models, tokenizers, masks, samplers and the loop."""
