"""What the service does, method by method of the contract: no HTTP here, no arithmetic either."""
