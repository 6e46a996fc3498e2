"""A task with its rating on paper and as text."""

from PySide6.QtGui import QGuiApplication
from PySide6.QtPrintSupport import QPrinter
from PySide6.QtWidgets import QApplication

from desktop_rater.operations.rating.task_text import task_blocks
from desktop_rater.ui.rating.task_search import output_lines, printed_document
from tests.operations.bundles import task
from tests.ui.rooms import part, press, type_text


def test_a_task_is_copied_as_text_with_what_was_said_of_each_target(room):
    press("Y")
    QApplication.clipboard().setText("https://example.org/a")
    press("E", "S", "A", "W")
    type_text("Looked it up.")
    press("Esc")
    room.session.change_evidence("e1", title="A page", quote="Paris is the capital.")
    room.commands.actions["copy_task"].trigger()
    text = QGuiApplication.clipboard().text()
    assert text.startswith(
        "Task t1\n\nPrompt\nWhat about t1?\n\nResponse\n[1] Paris is the capital of France. [2] It lies"
    )
    assert "Target 1\nParis is the capital of France.\n" in text
    assert "Accurate" in text
    assert "Looked it up." in text
    assert "  Supports: A page – https://example.org/a\n    “Paris is the capital.”\n" in text
    room.commands.actions["copy_target"].trigger()
    target = QGuiApplication.clipboard().text()
    assert target.startswith("Target 1\n")
    assert target.strip() in text
    assert "Target 2" not in target


def test_the_printed_task_is_plain_text_whatever_it_holds(rooms, tmp_path):
    hostile = "<img src='https://example.org/x.png'><b>Bold</b> & \u202eturned"
    room = rooms.with_tasks(task("t1", hostile, "Second.", prompt={"text": "<h1>Why?</h1>\nAnd how?"}))
    press("Ctrl+P")
    part(room, "print_dialog").reject()
    printer = QPrinter(QPrinter.PrinterMode.ScreenResolution)
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(tmp_path / "task.pdf"))
    output = next(part for part in room.window.form_pane.children() if type(part).__name__ == "OutputCommands")
    output.print_task(printer)
    assert (tmp_path / "task.pdf").read_bytes().startswith(b"%PDF")
    state = room.session.state
    document = printed_document(
        output_lines(task_blocks(state.task, state.rating, state.outcome)), QGuiApplication.font()
    )
    shown = document.toPlainText()
    assert "<b>Bold</b> & [U+202E]turned" in shown
    assert "<h1>Why?</h1>\nAnd how?" in shown
    assert "[2] Second." in shown
