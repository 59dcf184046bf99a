"""The server: pages in the browser and a JSON API over models, safe by default.

`shell` is what every application of linnet in the browser stands in: who may ask (`access`), how much (`limits`), the headers
of every response (`guard`), the frame of every page (`frame`) and the files that pages load (`static_files`). `server` runs it.
"""
