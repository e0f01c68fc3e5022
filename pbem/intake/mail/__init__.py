"""Mail: the raw bytes of one message come in, what it is and the order form it holds come out. Nothing here sends."""
