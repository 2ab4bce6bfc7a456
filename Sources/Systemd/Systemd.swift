// Placeholder until the layer is laid.
