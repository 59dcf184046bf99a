"""Where bytes come from and where they go: files, pipes, encodings, blocks of lines, faults and their lines."""
