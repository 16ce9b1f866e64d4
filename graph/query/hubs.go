package query

func (w *writer) hubs(t *HubTable, req *Request) {}
