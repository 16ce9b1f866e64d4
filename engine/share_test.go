package engine

func holdIndex(args []string) int { return 0 }
func joinIndex(args []string) int { return 0 }
