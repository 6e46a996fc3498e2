from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_rater.settings import Settings, with_setting
from desktop_rater.ui.widgets.labels import ZoomedComboBox
from desktop_rater.ui.window.startup import apply_look


def test_a_chooser_is_small_again_after_a_look_at_twice_the_size(qtbot, qapp):
    window = QWidget()
    qtbot.addWidget(window)
    chooser = ZoomedComboBox()
    chooser.setSizeAdjustPolicy(ZoomedComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    chooser.addItem("Long answers, November")
    QVBoxLayout(window).addWidget(chooser)
    window.show()
    qtbot.waitExposed(window)
    before = chooser.minimumSizeHint().height(), chooser.height()

    apply_look(with_setting(Settings(), "zoom", 200))
    qtbot.waitUntil(lambda: chooser.height() > before[1])
    assert chooser.minimumSizeHint().height() > before[0]

    apply_look(Settings())
    qtbot.waitUntil(lambda: (chooser.minimumSizeHint().height(), chooser.height()) == before)
