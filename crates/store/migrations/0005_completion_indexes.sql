-- Renders and deliveries by the time they ended: the operator's queue view and retention read these ranges.
CREATE INDEX render_by_completion ON render (completed_at, status);
CREATE INDEX delivery_by_finish ON delivery (finished_at);
