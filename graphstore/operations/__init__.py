"""The writes, one module per verb: the public function, what it reads, what it plans."""
