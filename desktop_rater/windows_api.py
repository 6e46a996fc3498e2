"""Calls of the Windows API that Python lacks: rights to files, limits of a process, long paths, the taskbar."""

import os
import sys
from pathlib import Path, PurePath

_LONG_PATH = "\\\\?\\"  # lifts the limit of 260 characters
_LONG_SHARE = "\\\\?\\UNC\\"

# Flags and kinds of JOBOBJECT_EXTENDED_LIMIT_INFORMATION.
_EXTENDED_LIMITS = 9
_LIMIT_PROCESSES, _LIMIT_PROCESS_MEMORY, _DIE_ON_EXCEPTION = 0x8, 0x100, 0x400

_FILE_OBJECT = 1
_DACL, _PROTECTED_DACL = 0x4, 0x80000000
_QUERY, _USER = 0x8, 1  # of a process's token
_REVISION = 1
_SYSTEM_TRUSTEES = ("SY", "BA")  # the system, such as its backups, and administrators: as in a user's profile

_ERROR_ICON = 0x10


if sys.platform == "win32":
    import ctypes

    class _BasicLimits(ctypes.Structure):
        _fields_ = (
            ("process_time", ctypes.c_int64),
            ("job_time", ctypes.c_int64),
            ("flags", ctypes.c_uint32),
            ("least_working_set", ctypes.c_size_t),
            ("most_working_set", ctypes.c_size_t),
            ("processes", ctypes.c_uint32),
            ("affinity", ctypes.c_size_t),
            ("priority", ctypes.c_uint32),
            ("scheduling", ctypes.c_uint32),
        )

    class _ExtendedLimits(ctypes.Structure):
        _fields_ = (
            ("basic", _BasicLimits),
            ("io", ctypes.c_uint64 * 6),
            ("process_memory", ctypes.c_size_t),
            ("job_memory", ctypes.c_size_t),
            ("peak_process_memory", ctypes.c_size_t),
            ("peak_job_memory", ctypes.c_size_t),
        )


def long_path(path: Path) -> Path:
    r"""Return a path that may be longer than 260 characters: `\\?\…` on Windows, `path` elsewhere."""
    text = os.path.abspath(path) if sys.platform == "win32" else str(path)  # noqa: PTH100 - resolves `..` without links
    return Path(verbatim_path(text)) if sys.platform == "win32" else path


def verbatim_path(text: str) -> str:
    r"""Return an absolute Windows path in the form `\\?\C:\…` or `\\?\UNC\server\share\…`."""
    if text.startswith(_LONG_PATH):
        return text
    return _LONG_SHARE + text[2:] if text.startswith("\\\\") else _LONG_PATH + text


def usual_path(path: PurePath) -> str:
    r"""Return a path as users know it: without the `\\?\` of a long path."""
    text = str(path)
    if text.startswith(_LONG_SHARE):
        return "\\\\" + text.removeprefix(_LONG_SHARE)
    return text.removeprefix(_LONG_PATH)


def limit_process(memory: int) -> None:
    """Limit this process's memory in bytes, and let it start no other, by a job object. Raises `OSError`."""
    if sys.platform == "win32":
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.CreateJobObjectW.restype = kernel.GetCurrentProcess.restype = ctypes.c_void_p
        job = ctypes.c_void_p(kernel.CreateJobObjectW(None, None))
        limits = _ExtendedLimits(process_memory=memory)
        limits.basic.flags = _LIMIT_PROCESSES | _LIMIT_PROCESS_MEMORY | _DIE_ON_EXCEPTION
        limits.basic.processes = 1
        size = ctypes.sizeof(limits)
        _check(kernel.SetInformationJobObject(job, _EXTENDED_LIMITS, ctypes.byref(limits), size))
        _check(kernel.AssignProcessToJobObject(job, ctypes.c_void_p(kernel.GetCurrentProcess())))
        kernel.CloseHandle(job)  # the job lives as long as the process


def allow_only_user(path: Path) -> None:
    """Restrict a file to the current user, or a folder and what will be in it to the user and the system.

    An administrator can still take ownership. Raises `OSError`.
    """
    if sys.platform == "win32":
        rights = ctypes.WinDLL("advapi32", use_last_error=True)
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.LocalFree.argtypes = (ctypes.c_void_p,)
        descriptor, acl = ctypes.c_void_p(), ctypes.c_void_p()
        present, default = ctypes.c_int(), ctypes.c_int()
        trustees = (_user_sid(), *_SYSTEM_TRUSTEES) if path.is_dir() else (_user_sid(),)
        inherited = "OICI" if path.is_dir() else ""
        sddl = "D:P" + "".join(f"(A;{inherited};FA;;;{trustee})" for trustee in trustees)
        _check(
            rights.ConvertStringSecurityDescriptorToSecurityDescriptorW(sddl, _REVISION, ctypes.byref(descriptor), None)
        )
        try:
            _check(
                rights.GetSecurityDescriptorDacl(
                    descriptor, ctypes.byref(present), ctypes.byref(acl), ctypes.byref(default)
                )
            )
            code = rights.SetNamedSecurityInfoW(
                str(path), _FILE_OBJECT, ctypes.c_uint32(_DACL | _PROTECTED_DACL), None, None, acl, None
            )
            if code:
                raise ctypes.WinError(code)
        finally:
            kernel.LocalFree(descriptor)


def set_application_id(identifier: str) -> None:
    """Show the windows of this process with their own icon in the taskbar, not among those of other Python programs."""
    if sys.platform == "win32":
        ctypes.WinDLL("shell32").SetCurrentProcessExplicitAppUserModelID(ctypes.c_wchar_p(identifier))


def show_error(text: str) -> None:
    """Show a message box, for a program without a console; nothing on other systems."""
    if sys.platform == "win32":
        ctypes.WinDLL("user32").MessageBoxW(None, text, "Desktop Rater", _ERROR_ICON)


def _user_sid() -> str:
    """Return the security identifier of the user, such as S-1-5-21-…-1001."""
    if sys.platform != "win32":
        return ""
    rights = ctypes.WinDLL("advapi32", use_last_error=True)
    kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    kernel.GetCurrentProcess.restype = ctypes.c_void_p
    kernel.LocalFree.argtypes = kernel.CloseHandle.argtypes = (ctypes.c_void_p,)
    token, size, text = ctypes.c_void_p(), ctypes.c_uint32(), ctypes.c_wchar_p()
    _check(rights.OpenProcessToken(ctypes.c_void_p(kernel.GetCurrentProcess()), _QUERY, ctypes.byref(token)))
    try:
        rights.GetTokenInformation(token, _USER, None, 0, ctypes.byref(size))
        user = ctypes.create_string_buffer(size.value)
        _check(rights.GetTokenInformation(token, _USER, user, size, ctypes.byref(size)))
    finally:
        kernel.CloseHandle(token)
    sid = ctypes.cast(user, ctypes.POINTER(ctypes.c_void_p)).contents  # TOKEN_USER begins with the pointer
    _check(rights.ConvertSidToStringSidW(sid, ctypes.byref(text)))
    try:
        return text.value or ""
    finally:
        kernel.LocalFree(text)


def _check(succeeded: int) -> None:
    if sys.platform == "win32" and not succeeded:
        raise ctypes.WinError(ctypes.get_last_error())
