"""A file is either whole or not there."""

import fcntl
import os
import signal
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from linnet.errors import UsageError
from linnet.io.bytes.atomic import atomic, check_writable
from linnet.limits import TEMPORARY_NAMES


@pytest.fixture
def umask():
    old = os.umask(0o027)
    yield
    os.umask(old)


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_the_file_appears_at_the_end(tmp_path):
    path = tmp_path / "a"
    with atomic(path) as file:
        file.write(b"new")
        file.flush()
        assert not path.exists()
    assert path.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["a"]


def write_and_raise(path, error):
    with atomic(path) as file:
        file.write(b"new")
        raise error


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_an_exception_leaves_the_old_file_and_nothing_else(tmp_path, error):
    path = tmp_path / "a"
    path.write_bytes(b"old")
    with pytest.raises(error):
        write_and_raise(path, error)
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a"]


def test_a_new_file_honours_the_umask(tmp_path, umask):
    with atomic(tmp_path / "a"):
        pass
    assert mode(tmp_path / "a") == 0o640


def test_a_replaced_file_hands_on_its_permissions(tmp_path, umask):
    path = tmp_path / "a"
    path.touch()
    path.chmod(0o604)
    with atomic(path) as file:
        file.write(b"new")
    assert mode(path) == 0o604
    assert path.read_bytes() == b"new"


def test_a_link_is_followed(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder/a")
    with atomic(tmp_path / "link") as file:
        file.write(b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "folder/a").read_bytes() == b"new"


def test_a_device_is_written_and_not_replaced():
    with atomic("/dev/null") as file:
        file.write(b"new")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_a_named_pipe_is_written_and_not_replaced(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with atomic(path) as file:
        file.write(b"new")
    assert os.read(reader, 10) == b"new"
    os.close(reader)
    assert stat.S_ISFIFO(path.stat().st_mode)


def test_standard_output_is_written_behind_what_is_there(tmp_path):
    code = "from linnet.io.bytes.atomic import atomic\nprint('first')\nwith atomic('/dev/stdout') as file: file.write(b'new')"
    (tmp_path / "a").write_text("old ")
    with open(tmp_path / "a", "ab") as file:
        subprocess.run([sys.executable, "-c", code], stdout=file, check=True, timeout=60)
    assert (tmp_path / "a").read_text() == "old first\nnew"
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True, timeout=60)
    assert done.stdout == b"first\nnew"


def test_a_folder_and_a_missing_folder(tmp_path):
    with pytest.raises(UsageError) as caught, atomic(tmp_path):
        pass
    assert str(caught.value) == f"cannot write '{tmp_path}': it is a folder. Name a file."
    with pytest.raises(UsageError) as caught, atomic(tmp_path / "none/a"):
        pass
    missing = tmp_path / "none"
    assert str(caught.value) == f"cannot write '{missing}/a': there is no folder '{missing}'. Make it first."


def test_a_folder_that_may_not_be_written(tmp_path, monkeypatch):
    def refuse(*arguments, **options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(UsageError) as caught, atomic(tmp_path / "a"):
        pass
    assert str(caught.value) == f"cannot write '{tmp_path}/a': Permission denied. Choose another name or folder."


def test_an_abandoned_file_is_removed(tmp_path):
    context = atomic(tmp_path / "a")
    context.__enter__().write(b"new")
    del context
    assert os.listdir(tmp_path) == []


def test_what_can_be_written_is_known_before(tmp_path):
    check_writable(tmp_path / "a")
    check_writable("/dev/null")
    assert os.listdir(tmp_path) == []
    (tmp_path / "a").write_bytes(b"old")
    check_writable(tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == b"old"
    with pytest.raises(UsageError, match="it is a folder"):
        check_writable(tmp_path)
    with pytest.raises(UsageError) as caught:
        check_writable(tmp_path / ("a" * 250))
    assert str(caught.value).endswith("a': File name too long. Choose another name or folder.")


KILLED = """
import os, signal, sys
from linnet.io.bytes.atomic import atomic
with atomic(sys.argv[1]) as file:
    file.write(b"half of")
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def left(tmp_path):
    """A file whose writer was killed: what there was before, and what is left of the new one."""
    (tmp_path / "a").write_bytes(b"old")
    done = subprocess.run([sys.executable, "-c", KILLED, tmp_path / "a"], timeout=60)
    assert done.returncode == -9
    return tmp_path


def test_a_writer_that_is_killed_leaves_the_old_file(left):
    assert (left / "a").read_bytes() == b"old"
    assert sorted(os.listdir(left)) == [".a.0.tmp", "a"]


def test_the_next_writer_removes_what_a_killed_one_has_left(left):
    with atomic(left / "a") as file:
        file.write(b"new")
    assert (left / "a").read_bytes() == b"new"
    assert os.listdir(left) == ["a"]


def test_looking_whether_a_file_can_be_written_removes_what_is_left_of_it(left):
    check_writable(left / "a")
    assert os.listdir(left) == ["a"]


def test_two_writers_of_one_file_do_not_disturb_each_other(tmp_path):
    path = tmp_path / "a"
    with atomic(path) as first:
        first.write(b"first")
        with atomic(path) as second:
            second.write(b"second")
            check_writable(path)
            assert sorted(os.listdir(tmp_path)) == [".a.0.tmp", ".a.1.tmp"]
        assert path.read_bytes() == b"second"
    assert path.read_bytes() == b"first"
    assert os.listdir(tmp_path) == ["a"]


def test_a_new_file_does_not_inherit_from_what_is_left(left, umask):
    (left / ".a.0.tmp").chmod(0o600)
    (left / "a").unlink()
    with atomic(left / "a"):
        pass
    assert mode(left / "a") == 0o640


@pytest.fixture
def never_waits():
    """An error in place of a test that would wait for ever."""

    def late(*_):
        raise TimeoutError("this waits")

    old = signal.signal(signal.SIGALRM, late)
    signal.alarm(20)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, old)


def put_pipe(path):
    os.mkfifo(path)


def put_socket(path):
    folder = os.getcwd()
    os.chdir(path.parent)  # names of sockets are short
    try:
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(path.name)
    finally:
        os.chdir(folder)


def put_folder(path):
    path.mkdir()


def put_link_to_itself(path):
    path.symlink_to(path)


def put_link_to_nothing(path):
    path.symlink_to(path.parent / "nothing")


def put_link_to_a_file(path):
    (path.parent / "others").write_bytes(b"others")
    path.symlink_to(path.parent / "others")


def put_link_to_a_device(path):
    path.symlink_to("/dev/zero")


@pytest.mark.parametrize(
    "put",
    [
        put_pipe,
        put_socket,
        put_folder,
        put_link_to_itself,
        put_link_to_nothing,
        put_link_to_a_file,
        put_link_to_a_device,
    ],
)
def test_what_a_stranger_has_put_under_the_hidden_name_is_passed_over(tmp_path, never_waits, put):
    put(tmp_path / ".a.0.tmp")
    before = sorted(os.listdir(tmp_path))
    kind = os.lstat(tmp_path / ".a.0.tmp").st_mode
    check_writable(tmp_path / "a")
    with atomic(tmp_path / "a") as file:
        file.write(b"new")
    assert (tmp_path / "a").read_bytes() == b"new"
    assert sorted(os.listdir(tmp_path)) == sorted([*before, "a"])
    assert os.lstat(tmp_path / ".a.0.tmp").st_mode == kind
    assert not (tmp_path / "others").exists() or (tmp_path / "others").read_bytes() == b"others"


def test_a_file_that_a_stranger_keeps_locked_is_passed_over(tmp_path, never_waits):
    with open(tmp_path / ".a.0.tmp", "wb") as locked:
        fcntl.flock(locked, fcntl.LOCK_SH)
        with atomic(tmp_path / "a") as file:
            file.write(b"new")
    assert (tmp_path / "a").read_bytes() == b"new"


def test_a_new_file_that_a_stranger_locks_at_once_is_passed_over(tmp_path, never_waits, monkeypatch):
    create, locks = Path.open, []

    def create_and_lock(path, mode):
        file = create(path, mode)
        if not locks:
            locks.append(os.open(path, os.O_RDONLY))
            fcntl.flock(locks[0], fcntl.LOCK_SH)
        return file

    monkeypatch.setattr(Path, "open", create_and_lock)
    with atomic(tmp_path / "a") as file:
        file.write(b"new")
    os.close(locks[0])
    assert (tmp_path / "a").read_bytes() == b"new"
    check_writable(tmp_path / "a")
    assert os.listdir(tmp_path) == ["a"]


def test_names_of_temporary_files_that_are_all_taken(tmp_path):
    for k in range(TEMPORARY_NAMES.most):
        (tmp_path / f".a.{k}.tmp").mkdir()
    for write in (check_writable, lambda path: atomic(path).__enter__()):
        with pytest.raises(UsageError) as caught:
            write(tmp_path / "a")
        assert str(caught.value) == (
            f"cannot write '{tmp_path}/a': 100 hidden names beside it are taken, the last by '{tmp_path}/.a.99.tmp'. Remove "
            "them, or choose another name or folder."
        )
    (tmp_path / ".a.99.tmp").rmdir()
    with atomic(tmp_path / "a") as file:
        file.write(b"new")
    assert (tmp_path / "a").read_bytes() == b"new"
