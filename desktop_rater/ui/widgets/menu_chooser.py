"""Context menus, and a button that shows what is chosen and opens a menu of the choices."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct
from PySide6.QtCore import QCoreApplication, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QColor,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QFrame,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QPlainTextEdit,
    QSizePolicy,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from desktop_rater.ui.widgets import shapes, theme
from desktop_rater.ui.widgets.fields import LineField
from desktop_rater.ui.widgets.labels import draw_text, name_widget, text_direction, visible
from desktop_rater.ui.widgets.layouts import fill
from desktop_rater.ui.widgets.theme import paint_box, smooth_painter
from desktop_rater.ui.widgets.theme_tokens import CONTROL, CONTROL_RADIUS

WIDTH, HEIGHT = 320, 380
LONGEST_MENU = 12  # choices; more are a list that is searched


class ChoiceList(QFrame):
    """A popup with a field and the choices that contain its words; Space or a click ticks one.

    `chosen` is emitted when it closes, if other choices are ticked.
    """

    chosen = Signal(tuple)

    def __init__(
        self,
        name: str,
        title: str,
        choices: Sequence[tuple[str, str]],
        current: Sequence[str],
        shorten: Callable[[str], str],
        parent: QWidget,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName(f"{name}_list")
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAccessibleName(visible(title))
        self.field = LineField(self, name=f"{name}_search", placeholder=self.tr("Search"), label=self.tr("Search"))
        self.field.setClearButtonEnabled(True)
        self.list = QListWidget(self)
        name_widget(self.list, f"{name}_choices", visible(title))
        self.list.setUniformItemSizes(True)
        for value, text in choices:
            item = QListWidgetItem(visible(shorten(text)), self.list)
            item.setData(Qt.ItemDataRole.UserRole, value)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if value in current else Qt.CheckState.Unchecked)
        fill(QVBoxLayout(self), self.field, self.list)
        self.setFocusProxy(self.field)
        self.field.textChanged.connect(self._search)
        self.field.entered.connect(self.close)
        self.field.left.connect(self.close)
        self._first = self.values()
        theme.follow(self, lambda: self.setFixedSize(theme.px(WIDTH), theme.px(HEIGHT)))

    def values(self) -> tuple[str, ...]:
        """Return the ticked values, in the order of the list."""
        items = (self.list.item(row) for row in range(self.list.count()))
        return tuple(
            item.data(Qt.ItemDataRole.UserRole) for item in items if item.checkState() == Qt.CheckState.Checked
        )

    def open(self, below: QWidget) -> None:
        """Show the list below a widget, ready to be searched."""
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.move(below.mapToGlobal(QPoint(0, below.height())))
        self.show()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.close()
        elif event.key() == Qt.Key.Key_Down and self.field.hasFocus():
            self.list.setFocus(Qt.FocusReason.TabFocusReason)
            first = (row for row in range(self.list.count()) if not self.list.isRowHidden(row))
            self.list.setCurrentRow(next(first, -1))
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        if self.values() != self._first:
            self._first = self.values()
            self.chosen.emit(self._first)

    def _search(self, text: str) -> None:
        words = text.casefold().split()
        for row in range(self.list.count()):
            name = self.list.item(row).text().casefold()
            self.list.setRowHidden(row, not all(word in name for word in words))


MenuChoice = tuple[str, str]  # value and text
PAD, ARROW_GAP, ARROW, MAX_TEXT_WIDTH = 8, 4, 12, 240
MAX_TEXT_LENGTH, MAX_NAME_LENGTH = 80, 40


class CheckableMenu(QMenu):
    """A menu that stays open while several items are checked."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        action = self.actionAt(event.position().toPoint())
        if not self._tick(action):
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Space or not self._tick(self.activeAction()):
            super().keyPressEvent(event)

    def _tick(self, action: QAction | None) -> bool:
        several = action is not None and action.isCheckable() and action.isEnabled() and action.data() is not None
        if several and action is not None:
            action.trigger()
        return several


NO_MEANINGS: Mapping[str, str] = MappingProxyType({})


class MenuChooser(QAbstractButton):
    """A choice of one value, or of any number where `several`; an empty choice means all of them."""

    chosen = Signal(tuple)

    def __init__(self, name: str, *, several: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._several = several
        self._choices: tuple[MenuChoice, ...] = ()
        self._all_text = ""
        self._meanings = NO_MEANINGS
        self._name, self._named = "", False
        self.current: tuple[str, ...] = ()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self.open)
        theme.follow(self, self.updateGeometry)

    def offer(
        self,
        name: str,
        choices: Sequence[MenuChoice],
        current: Sequence[str],
        *,
        all_text: str = "",
        named: bool = False,
        meanings: Mapping[str, str] = NO_MEANINGS,
    ) -> None:
        """Set the choices and the current ones. `all_text`: the entry for all of them. `named`: show the name too.

        `meanings`: value → what it means, beside it in the menu.
        """
        self._meanings = meanings
        self._name, self._all_text, self._named = name, all_text, named
        self._choices = tuple(choices)
        available = {value for value, _text in choices}
        self.current = tuple(value for value in current if value in available)
        self._update_text()

    def open(self) -> None:
        """Open the menu; many choices are a list that can be searched."""
        if self._several and len(self._choices) > LONGEST_MENU:
            popup = ChoiceList(self.objectName(), self._name, self._choices, self.current, one_line, self)
            popup.chosen.connect(self._choose)
            popup.open(self)
            return
        menu = self.menu()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.mapToGlobal(QPoint(0, self.height())))

    def menu(self) -> QMenu:
        menu = CheckableMenu(self) if self._several else QMenu(self)
        menu.setObjectName(f"{self.objectName()}_menu")
        if self._all_text:
            all_action = menu.addAction(self._all_text)
            all_action.setCheckable(True)
            all_action.setChecked(not self.current)
            all_action.triggered.connect(lambda _on=False: self._choose(()))
            menu.addSeparator()
        for value, text in self._choices:
            meaning = self._meanings.get(value, "")
            action = menu.addAction(visible(one_line(text)).replace("&", "&&") + (f"\t{meaning}" if meaning else ""))
            action.setCheckable(True)
            action.setChecked(value in self.current)
            action.setData(value if self._several else None)
            action.triggered.connect(lambda on, value=value: self._tick(value, on=on))
        return menu

    def show_current(self, values: tuple[str, ...]) -> None:
        """Show another choice without emitting it."""
        self.current = values
        self._update_text()

    def _tick(self, value: str, *, on: bool) -> None:
        if not self._several:
            self._choose((value,))
            return
        checked = {*self.current, value} if on else {*self.current} - {value}
        self._choose(tuple(name for name, _text in self._choices if name in checked))

    def _choose(self, values: tuple[str, ...]) -> None:
        if values != self.current:
            self.current = values
            self._update_text()
            self.chosen.emit(values)

    def _update_text(self) -> None:
        texts = dict(self._choices)
        chosen = ", ".join(one_line(texts[value]) for value in self.current) if self.current else self._all_text
        whole = f"{one_line(self._name, MAX_NAME_LENGTH)}: {chosen}"
        self.setText(visible(whole if self._named else chosen))
        self.setAccessibleName(visible(whole))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        text_width = min(theme.px(MAX_TEXT_WIDTH), self.fontMetrics().horizontalAdvance(self.text()) + 2)  # rounded up
        return QSize(text_width + theme.px(2 * PAD + ARROW_GAP + ARROW), theme.px(CONTROL))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        colors, px = theme.tokens(self), theme.px
        with smooth_painter(self) as painter:
            paint_box(
                painter,
                QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5),
                px(CONTROL_RADIUS),
                fill=QColor(colors.hover if self.underMouse() else colors.raised),
                edge=QPen(QColor(colors.edge), 1),
            )
            mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
            arrow_x = px(PAD) if mirrored else self.width() - px(PAD + ARROW)
            box = QRectF(arrow_x, (self.height() - px(ARROW)) / 2, px(ARROW), px(ARROW))
            shapes.paint_shape(painter, box, "chevron-down", QColor(colors.text), QColor(colors.raised))
            left = px(PAD + ARROW_GAP + ARROW) if mirrored else px(PAD)
            text_rect = QRect(left, 0, self.width() - px(2 * PAD + ARROW_GAP + ARROW), self.height())
            painter.setPen(QColor(colors.text))
            text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, text_rect.width())
            painter.setLayoutDirection(text_direction(text, self.layoutDirection()))
            start = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
            draw_text(painter, text_rect, start | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter, text)


def one_line(text: str, most: int = MAX_TEXT_LENGTH) -> str:
    """Return a text in one line of at most so many characters."""
    line = " ".join(text[: 2 * most].split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


translate = QCoreApplication.translate


class MenuRow(Struct, frozen=True):
    """A row of a context menu. `key` is only shown."""

    text: str
    run: Callable[[], object]
    key: QKeySequence.StandardKey | None = None
    enabled: bool = True


def show_menu(widget: QWidget, place: QPoint, rows: Sequence[MenuRow | str]) -> QMenu:
    """Show a menu at a place on the screen. A text is the id of an action of the window; an empty one is a line."""
    menu = QMenu(widget)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for row in rows:
        if isinstance(row, MenuRow):
            action = menu.addAction(visible(row.text).replace("&", "&&"))
            action.setEnabled(row.enabled)
            action.triggered.connect(lambda _on=False, run=row.run: run())
            if row.key is not None:
                action.setShortcut(QKeySequence(row.key))
                action.setShortcutVisibleInContextMenu(True)
        elif not row:
            menu.addSeparator()
        elif (action := widget.window().findChild(QAction, f"action_{row}")) is not None:
            action.setShortcutVisibleInContextMenu(True)
            menu.addAction(action)
    menu.popup(place)
    return menu


def offer_menu(view: QAbstractScrollArea, rows: Callable[[QPoint], Sequence[MenuRow | str]]) -> None:
    """Show a menu on a right click and the menu key; `rows` gets the place in the view."""
    view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    def show(place: QPoint) -> None:
        offered = rows(place)
        if offered:
            show_menu(view, view.viewport().mapToGlobal(place), offered)

    view.customContextMenuRequested.connect(show)


def text_rows(view: QTextEdit | QPlainTextEdit) -> list[MenuRow | str]:
    """Return the rows of every text: copy, select all, find."""
    selected = view.textCursor().hasSelection()
    keys = QKeySequence.StandardKey
    return [
        MenuRow(translate("Menus", "Copy"), view.copy, keys.Copy, selected),
        MenuRow(translate("Menus", "Select all"), view.selectAll, keys.SelectAll),
        "",
        "find",
    ]


def copy_text(text: str) -> None:
    """Put a text on the clipboard."""
    QGuiApplication.clipboard().setText(text)
