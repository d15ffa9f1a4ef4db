"""From a prompt and a matcher to text: models, masks, samplers, drafts and the loop."""
