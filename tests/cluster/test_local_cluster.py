"""The processes of `local:N` are for whoever started them: other users of the machine, and other machines, are not let in."""

import http.client
import logging
import socket

import pytest

distributed = pytest.importorskip("distributed", reason="Dask (distributed) is not installed")
psutil = pytest.importorskip("psutil")
pytest.importorskip("cryptography", reason="certificates need cryptography")
on_dask = pytest.importorskip("linnet.cluster.on_dask")

PAGES = ("/health", "/metrics", "/status", "/info/main/workers.html", "/info/logs.html", "/json/counts.json", "/sysmon")


@pytest.fixture(scope="module")
def cluster():
    before = listening()
    with on_dask._local_cluster(1) as local:
        yield local, [place for place in listening() if place not in before]


def listening():
    """The address and port of all that this process and its children listen on."""
    processes = [psutil.Process(), *psutil.Process().children(recursive=True)]
    found = [place for process in processes for place in process.net_connections("tcp")]
    return [place.laddr for place in found if place.status == psutil.CONN_LISTEN]


def test_nothing_listens_to_other_machines(cluster):
    _, places = cluster
    assert len(places) >= 3  # a scheduler, a worker, and the process that watches over it
    assert {place.ip for place in places} == {"127.0.0.1"}


def test_there_are_no_pages(cluster):
    _, places = cluster
    answered = 0
    for place in places:
        for page in PAGES:
            connection = http.client.HTTPConnection(place.ip, place.port, timeout=5)
            try:
                connection.request("GET", page)
                assert connection.getresponse().status == 404, (place, page)
                answered += 1
            except (http.client.HTTPException, OSError):  # Dask itself speaks no HTTP.
                pass
            finally:
                connection.close()
    assert answered >= len(PAGES)  # of the scheduler, if not of the worker, whose port answers nothing


def test_nobody_is_let_in_without_the_certificates(cluster, caplog):
    local, _ = cluster
    caplog.set_level(logging.CRITICAL)
    assert local.scheduler_address.startswith("tls://127.0.0.1:")
    _, _, port = local.scheduler_address.rpartition(":")
    with distributed.Client(local) as client:
        assert client.submit(sum, [1, 2], pure=False).result(timeout=20) == 3
    own = distributed.Security.temporary()
    for address, security in (
        (f"tcp://127.0.0.1:{port}", None),  # in plain text
        (f"tls://127.0.0.1:{port}", own),  # with certificates of one's own making
    ):
        with pytest.raises((OSError, TimeoutError)):
            distributed.Client(address, security=security, timeout=3)


def test_a_stranger_who_only_holds_a_connection_keeps_nobody_out(cluster):
    local, _ = cluster
    _, _, port = local.scheduler_address.rpartition(":")
    with socket.create_connection(("127.0.0.1", int(port))), distributed.Client(local, timeout=20) as client:
        assert client.submit(sum, [1, 2], pure=False).result(timeout=20) == 3
