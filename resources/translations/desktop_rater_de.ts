<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>AboutDialog</name>
    <message>
        <source>About Desktop Rater</source>
        <translation>Über Desktop Rater</translation>
    </message>
    <message>
        <source>Desktop Rater</source>
        <translation>Desktop Rater</translation>
    </message>
    <message>
        <source>Judge, offline and with evidence, whether what an AI wrote is true.</source>
        <translation>Beurteilen, offline und mit Belegen, ob stimmt, was eine KI geschrieben hat.</translation>
    </message>
    <message>
        <source>Licensed under the Apache License 2.0. The program contains Qt and other software with licences of their own, which the third-party notices reproduce.</source>
        <translation>Lizenziert unter der Apache License 2.0. Das Programm enthält Qt und andere Software mit eigenen Lizenzen; sie stehen in den Hinweisen zu Drittsoftware.</translation>
    </message>
    <message>
        <source>Copy versions</source>
        <translation>Versionen kopieren</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <source>Third-party notices</source>
        <translation>Drittsoftware</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>ActionPalette</name>
    <message>
        <source>Find an action</source>
        <translation>Aktion suchen</translation>
    </message>
    <message>
        <source>Find an action, a setting, a bundle, a task or a page</source>
        <translation>Aktion, Einstellung, Bündel, Aufgabe oder Seite suchen</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>Gefunden</translation>
    </message>
    <message>
        <source>Nothing matches.</source>
        <translation>Nichts gefunden.</translation>
    </message>
    <message>
        <source>Actions</source>
        <translation>Aktionen</translation>
    </message>
    <message>
        <source>unavailable</source>
        <translation>nicht verfügbar</translation>
    </message>
</context>
<context>
    <name>Actions</name>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Target</source>
        <translation>&amp;Stelle</translation>
    </message>
    <message>
        <source>E&amp;vidence</source>
        <translation>Be&amp;lege</translation>
    </message>
    <message>
        <source>Vie&amp;w</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>Immer</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>Moving</source>
        <translation>Weiter und zurück</translation>
    </message>
    <message>
        <source>Claims and text</source>
        <translation>Aussagen und Text</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>Import a bundle…</source>
        <translation>Bündel einlesen …</translation>
    </message>
    <message>
        <source>Make tasks of a file…</source>
        <translation>Aufgaben aus einer Datei …</translation>
    </message>
    <message>
        <source>Bundles and revisions…</source>
        <translation>Bündel und Stände …</translation>
    </message>
    <message>
        <source>Open results…</source>
        <translation>Ergebnisse öffnen …</translation>
    </message>
    <message>
        <source>Export results…</source>
        <translation>Ergebnisse ausgeben …</translation>
    </message>
    <message>
        <source>Sync with the hub</source>
        <translation>Mit dem Hub abgleichen</translation>
    </message>
    <message>
        <source>Publish a bundle to the hub…</source>
        <translation>Bündel auf dem Hub bereitstellen …</translation>
    </message>
    <message>
        <source>Hub…</source>
        <translation>Hub …</translation>
    </message>
    <message>
        <source>Back up now</source>
        <translation>Jetzt sichern</translation>
    </message>
    <message>
        <source>Restore a backup…</source>
        <translation>Sicherung zurückholen …</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>Einstellungen …</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>History of this task</source>
        <translation>Verlauf dieser Aufgabe</translation>
    </message>
    <message>
        <source>Clear the answer</source>
        <translation>Antwort löschen</translation>
    </message>
    <message>
        <source>Open a folder of results or a dataset…</source>
        <translation>Ordner mit Ergebnissen oder Datensatz öffnen …</translation>
    </message>
    <message>
        <source>Open the sample of sentences</source>
        <translation>Beispiel mit Sätzen öffnen</translation>
    </message>
    <message>
        <source>Open the sample of pairs</source>
        <translation>Beispiel mit Paaren öffnen</translation>
    </message>
    <message>
        <source>Open the sample of scales</source>
        <translation>Beispiel mit Skalen öffnen</translation>
    </message>
    <message>
        <source>Open the sample of documents</source>
        <translation>Beispiel mit Dokumenten öffnen</translation>
    </message>
    <message>
        <source>Practise with sentences</source>
        <translation>Mit Sätzen üben</translation>
    </message>
    <message>
        <source>Practise with pairs</source>
        <translation>Mit Paaren üben</translation>
    </message>
    <message>
        <source>Practise with scales</source>
        <translation>Mit Skalen üben</translation>
    </message>
    <message>
        <source>Print the task…</source>
        <translation>Aufgabe drucken …</translation>
    </message>
    <message>
        <source>Confirm the claim or the suggestions here</source>
        <translation>Aussage oder Vorschläge hier bestätigen</translation>
    </message>
    <message>
        <source>Confirm all claims here, or the suggestion for this question</source>
        <translation>Alle Aussagen hier oder den Vorschlag zu dieser Frage bestätigen</translation>
    </message>
    <message>
        <source>Confirm every suggestion of this task</source>
        <translation>Alle Vorschläge dieser Aufgabe bestätigen</translation>
    </message>
    <message>
        <source>Answer as the last target</source>
        <translation>Wie die letzte Stelle beantworten</translation>
    </message>
    <message>
        <source>Select the next target too</source>
        <translation>Nächste Stelle mit auswählen</translation>
    </message>
    <message>
        <source>Select the previous target too</source>
        <translation>Vorige Stelle mit auswählen</translation>
    </message>
    <message>
        <source>Select to the end of the table or list</source>
        <translation>Bis zum Ende der Tabelle oder Liste auswählen</translation>
    </message>
    <message>
        <source>Select to the start of the table or list</source>
        <translation>Bis zum Anfang der Tabelle oder Liste auswählen</translation>
    </message>
    <message>
        <source>Select the targets with hits of the search</source>
        <translation>Stellen mit Treffern der Suche auswählen</translation>
    </message>
    <message>
        <source>Copy the target with its rating</source>
        <translation>Stelle mit ihrer Bewertung kopieren</translation>
    </message>
    <message>
        <source>Copy the task as text</source>
        <translation>Aufgabe als Text kopieren</translation>
    </message>
    <message>
        <source>Write the comment</source>
        <translation>Kommentar schreiben</translation>
    </message>
    <message>
        <source>Text blocks for comments…</source>
        <translation>Textbausteine für Kommentare …</translation>
    </message>
    <message>
        <source>Draft the comment</source>
        <translation>Kommentar entwerfen</translation>
    </message>
    <message>
        <source>Note to the QA lead…</source>
        <translation>Notiz an die Prüfleitung …</translation>
    </message>
    <message>
        <source>Leave the field</source>
        <translation>Feld verlassen</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Next target</source>
        <translation>Nächste Stelle</translation>
    </message>
    <message>
        <source>Previous target</source>
        <translation>Vorige Stelle</translation>
    </message>
    <message>
        <source>Next claim</source>
        <translation>Nächste Aussage</translation>
    </message>
    <message>
        <source>Previous claim</source>
        <translation>Vorige Aussage</translation>
    </message>
    <message>
        <source>Claim from the selection</source>
        <translation>Aussage aus der Auswahl</translation>
    </message>
    <message>
        <source>Split into claims</source>
        <translation>In Aussagen aufteilen</translation>
    </message>
    <message>
        <source>Split into claims with a model</source>
        <translation>Mit einem Sprachmodell in Aussagen aufteilen</translation>
    </message>
    <message>
        <source>Add the selection to the claim, or type one</source>
        <translation>Auswahl zur Aussage nehmen oder eine eintippen</translation>
    </message>
    <message>
        <source>Edit the claim’s words</source>
        <translation>Wortlaut der Aussage bearbeiten</translation>
    </message>
    <message>
        <source>Next problem</source>
        <translation>Nächstes Problem</translation>
    </message>
    <message>
        <source>Previous problem</source>
        <translation>Voriges Problem</translation>
    </message>
    <message>
        <source>Next comment of the lead</source>
        <translation>Nächste Anmerkung der Prüfleitung</translation>
    </message>
    <message>
        <source>Previous comment of the lead</source>
        <translation>Vorige Anmerkung der Prüfleitung</translation>
    </message>
    <message>
        <source>Acknowledge the warning…</source>
        <translation>Warnung hinnehmen …</translation>
    </message>
    <message>
        <source>Correct the target&apos;s borders</source>
        <translation>Grenzen der Stelle berichtigen</translation>
    </message>
    <message>
        <source>Finish the task</source>
        <translation>Aufgabe abschließen</translation>
    </message>
    <message>
        <source>Next task</source>
        <translation>Nächste Aufgabe</translation>
    </message>
    <message>
        <source>Previous task</source>
        <translation>Vorige Aufgabe</translation>
    </message>
    <message>
        <source>Skip the task…</source>
        <translation>Aufgabe überspringen …</translation>
    </message>
    <message>
        <source>Add evidence</source>
        <translation>Beleg hinzufügen</translation>
    </message>
    <message>
        <source>Add all copied links</source>
        <translation>Alle kopierten Links hinzufügen</translation>
    </message>
    <message>
        <source>Write the quote</source>
        <translation>Zitat schreiben</translation>
    </message>
    <message>
        <source>Open the page</source>
        <translation>Seite öffnen</translation>
    </message>
    <message>
        <source>Open the next unopened link</source>
        <translation>Nächsten ungeöffneten Link öffnen</translation>
    </message>
    <message>
        <source>Go to an address</source>
        <translation>Adresse eingeben</translation>
    </message>
    <message>
        <source>Switch between reader and page</source>
        <translation>Zwischen Leseansicht und Seite wechseln</translation>
    </message>
    <message>
        <source>Switch JavaScript of the page on or off</source>
        <translation>JavaScript der Seite ein- oder ausschalten</translation>
    </message>
    <message>
        <source>Search the web for this claim</source>
        <translation>Diese Aussage im Web suchen</translation>
    </message>
    <message>
        <source>Research on this target</source>
        <translation>Recherche zu dieser Stelle</translation>
    </message>
    <message>
        <source>Time research in my browser</source>
        <translation>Recherchezeit im eigenen Browser messen</translation>
    </message>
    <message>
        <source>Previous page</source>
        <translation>Vorherige Seite</translation>
    </message>
    <message>
        <source>Next page</source>
        <translation>Nächste Seite</translation>
    </message>
    <message>
        <source>Fetch the page again</source>
        <translation>Seite neu abrufen</translation>
    </message>
    <message>
        <source>Open in the system browser…</source>
        <translation>Im Browser des Systems öffnen …</translation>
    </message>
    <message>
        <source>Fetch the links of this task</source>
        <translation>Links dieser Aufgabe abrufen</translation>
    </message>
    <message>
        <source>Fetch all links of this bundle</source>
        <translation>Alle Links dieses Bündels abrufen</translation>
    </message>
    <message>
        <source>Switch between whole page and main text</source>
        <translation>Zwischen ganzer Seite und Haupttext wechseln</translation>
    </message>
    <message>
        <source>Find in pages read…</source>
        <translation>In gelesenen Seiten suchen …</translation>
    </message>
    <message>
        <source>Mark as supporting</source>
        <translation>Als stützend markieren</translation>
    </message>
    <message>
        <source>Mark as contradicting</source>
        <translation>Als widersprechend markieren</translation>
    </message>
    <message>
        <source>Mark as not deciding</source>
        <translation>Als nicht entscheidend markieren</translation>
    </message>
    <message>
        <source>The link matches the text</source>
        <translation>Der Link zeigt, was der Text sagt</translation>
    </message>
    <message>
        <source>This link differs from the text</source>
        <translation>Der Link zeigt anderes als der Text</translation>
    </message>
    <message>
        <source>The link is dead</source>
        <translation>Der Link ist tot</translation>
    </message>
    <message>
        <source>The link needs a sign-in</source>
        <translation>Der Link verlangt eine Anmeldung</translation>
    </message>
    <message>
        <source>Evidence for all claims</source>
        <translation>Beleg allen Aussagen zuordnen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Go to rating</source>
        <translation>Zum Bewerten</translation>
    </message>
    <message>
        <source>Go to the review</source>
        <translation>Zur Prüfung</translation>
    </message>
    <message>
        <source>Go to the report</source>
        <translation>Zum Bericht</translation>
    </message>
    <message>
        <source>Go to the systems</source>
        <translation>Zu den Systemen</translation>
    </message>
    <message>
        <source>Task list</source>
        <translation>Aufgabenliste</translation>
    </message>
    <message>
        <source>Choose a bundle</source>
        <translation>Bündel wählen</translation>
    </message>
    <message>
        <source>Filter tasks</source>
        <translation>Aufgaben filtern</translation>
    </message>
    <message>
        <source>Find in the text</source>
        <translation>Im Text suchen</translation>
    </message>
    <message>
        <source>Guideline at this question</source>
        <translation>Leitfaden zu dieser Frage</translation>
    </message>
    <message>
        <source>Pause the clock</source>
        <translation>Uhr anhalten</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Anfrage</translation>
    </message>
    <message>
        <source>Tool output</source>
        <translation>Werkzeugausgabe</translation>
    </message>
    <message>
        <source>Context documents</source>
        <translation>Kontextdokumente</translation>
    </message>
    <message>
        <source>Next citation</source>
        <translation>Nächster Verweis</translation>
    </message>
    <message>
        <source>Show Markdown source</source>
        <translation>Markdown-Quelltext zeigen</translation>
    </message>
    <message>
        <source>Show differences</source>
        <translation>Unterschiede zeigen</translation>
    </message>
    <message>
        <source>Compare with the tool output</source>
        <translation>Mit der Werkzeugausgabe vergleichen</translation>
    </message>
    <message>
        <source>Scroll in sync</source>
        <translation>Gemeinsam scrollen</translation>
    </message>
    <message>
        <source>Texts only, side by side</source>
        <translation>Nebeneinander: nur Texte</translation>
    </message>
    <message>
        <source>Higher texts, side by side</source>
        <translation>Nebeneinander: Texte höher</translation>
    </message>
    <message>
        <source>Lower texts, side by side</source>
        <translation>Nebeneinander: Texte niedriger</translation>
    </message>
    <message>
        <source>Switch between text and page</source>
        <translation>Zwischen Text und Seite wechseln</translation>
    </message>
    <message>
        <source>Page in its own window</source>
        <translation>Seite in eigenem Fenster</translation>
    </message>
    <message>
        <source>Next pane</source>
        <translation>Nächster Bereich</translation>
    </message>
    <message>
        <source>Previous pane</source>
        <translation>Voriger Bereich</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>Vergrößern</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>Verkleinern</translation>
    </message>
    <message>
        <source>Actual size</source>
        <translation>Originalgröße</translation>
    </message>
    <message>
        <source>Reset pane widths</source>
        <translation>Bereichsbreiten zurücksetzen</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>Vollbild</translation>
    </message>
    <message>
        <source>Find an action</source>
        <translation>Aktion suchen</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Manual</source>
        <translation>Handbuch</translation>
    </message>
    <message>
        <source>Guided first task</source>
        <translation>Geführte erste Aufgabe</translation>
    </message>
    <message>
        <source>Check the store</source>
        <translation>Ablage prüfen</translation>
    </message>
    <message>
        <source>Open the log</source>
        <translation>Protokoll öffnen</translation>
    </message>
    <message>
        <source>Report a crash…</source>
        <translation>Absturz melden …</translation>
    </message>
    <message>
        <source>About Desktop Rater</source>
        <translation>Über Desktop Rater</translation>
    </message>
    <message>
        <source>Continue in the selected bundle</source>
        <translation>Im gewählten Bündel weiterarbeiten</translation>
    </message>
    <message>
        <source>Pick a task</source>
        <translation>Aufgabe wählen</translation>
    </message>
    <message>
        <source>Open the first returned task</source>
        <translation>Erste zurückgegebene Aufgabe öffnen</translation>
    </message>
    <message>
        <source>Read changes of the guideline</source>
        <translation>Änderungen des Leitfadens lesen</translation>
    </message>
    <message>
        <source>Get the bundles from the hub</source>
        <translation>Bündel vom Hub holen</translation>
    </message>
    <message>
        <source>More about the selected bundle…</source>
        <translation>Mehr zum gewählten Bündel …</translation>
    </message>
    <message>
        <source>Sort the bundles differently</source>
        <translation>Bündel anders sortieren</translation>
    </message>
    <message>
        <source>Begin the guided first task</source>
        <translation>Geführte erste Aufgabe beginnen</translation>
    </message>
    <message>
        <source>Go to the start page</source>
        <translation>Zur Startseite</translation>
    </message>
    <message>
        <source>In the form or the strip: select the next or previous target too</source>
        <translation>Im Formular oder in der Stellenleiste: nächste oder vorige Stelle mit auswählen</translation>
    </message>
    <message>
        <source>Next or previous row of the list or question of the form</source>
        <translation>Nächste oder vorige Zeile der Liste oder Frage des Formulars</translation>
    </message>
    <message>
        <source>On a page: next or previous sentence</source>
        <translation>Auf einer Seite: nächster oder voriger Satz</translation>
    </message>
    <message>
        <source>On a page: extend or shrink by a sentence</source>
        <translation>Auf einer Seite: um einen Satz erweitern oder verkürzen</translation>
    </message>
    <message>
        <source>On a page: next or previous link (Enter opens it)</source>
        <translation>Auf einer Seite: nächster oder voriger Link (die Eingabetaste öffnet ihn)</translation>
    </message>
    <message>
        <source>Evidence for this claim, or not</source>
        <translation>Beleg dieser Aussage zuordnen oder nicht</translation>
    </message>
    <message>
        <source>After not deciding: a copy, unreliable, off topic, undecided</source>
        <translation>Nach „Entscheidet nicht“: Kopie, unzuverlässig, sachfremd, unentschieden</translation>
    </message>
    <message>
        <source>Next or previous part of a pane</source>
        <translation>Nächster oder voriger Teil eines Bereichs</translation>
    </message>
    <message>
        <source>Press the button that has the focus</source>
        <translation>Die Schaltfläche drücken, die den Fokus hat</translation>
    </message>
    <message>
        <source>Save the figures as CSV…</source>
        <translation>Kennzahlen als CSV speichern …</translation>
    </message>
    <message>
        <source>Save the report as HTML…</source>
        <translation>Bericht als HTML speichern …</translation>
    </message>
    <message>
        <source>Open details</source>
        <translation>Details öffnen</translation>
    </message>
    <message>
        <source>Show as a table</source>
        <translation>Als Tabelle zeigen</translation>
    </message>
    <message>
        <source>Choose raters</source>
        <translation>Bewertende wählen</translation>
    </message>
    <message>
        <source>Score justifications…</source>
        <translation>Begründungen werten …</translation>
    </message>
    <message>
        <source>Accept the rating</source>
        <translation>Bewertung annehmen</translation>
    </message>
    <message>
        <source>Accept every rating of this target</source>
        <translation>Alle Bewertungen dieser Stelle annehmen</translation>
    </message>
    <message>
        <source>Correct the rating…</source>
        <translation>Bewertung berichtigen …</translation>
    </message>
    <message>
        <source>Send the rating back…</source>
        <translation>Bewertung zurückgeben …</translation>
    </message>
    <message>
        <source>Submit the verdict</source>
        <translation>Urteil abgeben</translation>
    </message>
    <message>
        <source>Decide on the final label…</source>
        <translation>Endgültig entscheiden …</translation>
    </message>
    <message>
        <source>Leave the final label open and go on</source>
        <translation>Ergebnis offen lassen und weiter</translation>
    </message>
    <message>
        <source>Write why it is decided so</source>
        <translation>Grund der Entscheidung schreiben</translation>
    </message>
    <message>
        <source>Choose how final labels are decided…</source>
        <translation>Verfahren für endgültige Ergebnisse wählen …</translation>
    </message>
    <message>
        <source>Let the chosen results or key count…</source>
        <translation>Gewählte Ergebnisse oder Schlüssel gelten lassen …</translation>
    </message>
    <message>
        <source>Let all results of the chosen rater count…</source>
        <translation>Alle Ergebnisse der gewählten Person gelten lassen …</translation>
    </message>
    <message>
        <source>Take the chosen results or key out…</source>
        <translation>Gewählte Ergebnisse oder Schlüssel herausnehmen …</translation>
    </message>
    <message>
        <source>Withdraw the verdict or decision</source>
        <translation>Urteil oder Entscheidung zurücknehmen</translation>
    </message>
    <message>
        <source>Return tasks to the raters…</source>
        <translation>Aufgaben an Bewertende zurückgeben …</translation>
    </message>
    <message>
        <source>Save the final labels…</source>
        <translation>Endgültige Ergebnisse speichern …</translation>
    </message>
    <message>
        <source>Assignment table…</source>
        <translation>Zuteilungstabelle …</translation>
    </message>
    <message>
        <source>Next unreviewed target</source>
        <translation>Nächste ungeprüfte Stelle</translation>
    </message>
    <message>
        <source>Next rater</source>
        <translation>Nächste Person</translation>
    </message>
    <message>
        <source>Previous rater</source>
        <translation>Vorige Person</translation>
    </message>
    <message>
        <source>Open the next stored page of this rater</source>
        <translation>Nächste abgelegte Seite dieser Person öffnen</translation>
    </message>
    <message>
        <source>Fetch this page again and compare</source>
        <translation>Diese Seite neu abrufen und vergleichen</translation>
    </message>
    <message>
        <source>Show the page as the rater saw it</source>
        <translation>Seite zeigen, wie die Person sie sah</translation>
    </message>
    <message>
        <source>Check for missing results</source>
        <translation>Auf fehlende Ergebnisse prüfen</translation>
    </message>
    <message>
        <source>Filter the list…</source>
        <translation>Liste filtern …</translation>
    </message>
    <message>
        <source>Remove the last filter</source>
        <translation>Letzten Filter entfernen</translation>
    </message>
    <message>
        <source>Draw a sample…</source>
        <translation>Stichprobe ziehen …</translation>
    </message>
    <message>
        <source>Group the raters by their label</source>
        <translation>Bewertende nach Einstufung gruppieren</translation>
    </message>
    <message>
        <source>Choose the raters to show…</source>
        <translation>Gezeigte Bewertende wählen …</translation>
    </message>
    <message>
        <source>Answer first, then see the raters</source>
        <translation>Erst antworten, dann Bewertende sehen</translation>
    </message>
    <message>
        <source>Show the agreement</source>
        <translation>Übereinstimmung zeigen</translation>
    </message>
    <message>
        <source>Show the audit’s result</source>
        <translation>Prüfergebnis zeigen</translation>
    </message>
    <message>
        <source>Draw more places for the goal</source>
        <translation>Weitere Stellen für das Ziel ziehen</translation>
    </message>
    <message>
        <source>Grade texts…</source>
        <translation>Texte benoten …</translation>
    </message>
    <message>
        <source>Compare text scores with your grades…</source>
        <translation>Textwertungen mit eigenen Noten vergleichen …</translation>
    </message>
    <message>
        <source>The text agrees (A)</source>
        <translation>Der Text stimmt zu (A)</translation>
    </message>
    <message>
        <source>The text disagrees (D)</source>
        <translation>Der Text widerspricht (D)</translation>
    </message>
    <message>
        <source>The text is silent</source>
        <translation>Der Text schweigt</translation>
    </message>
    <message>
        <source>Add the selected sentence as a point</source>
        <translation>Markierten Satz als Punkt nehmen</translation>
    </message>
    <message>
        <source>Write a point…</source>
        <translation>Punkt schreiben …</translation>
    </message>
    <message>
        <source>Edit the point…</source>
        <translation>Punkt bearbeiten …</translation>
    </message>
    <message>
        <source>Move the point to a topic…</source>
        <translation>Punkt einem Thema zuordnen …</translation>
    </message>
    <message>
        <source>Remove the point</source>
        <translation>Punkt entfernen</translation>
    </message>
    <message>
        <source>Go to the next unanswered item</source>
        <translation>Zum nächsten unbeantworteten Eintrag</translation>
    </message>
    <message>
        <source>Next text</source>
        <translation>Nächster Text</translation>
    </message>
    <message>
        <source>Previous text</source>
        <translation>Voriger Text</translation>
    </message>
    <message>
        <source>Next unanswered text</source>
        <translation>Nächster unbeantworteter Text</translation>
    </message>
    <message>
        <source>Choose the question</source>
        <translation>Frage wählen</translation>
    </message>
    <message>
        <source>Choose raters whose texts count as gold</source>
        <translation>Bewertende wählen, deren Texte als Muster gelten</translation>
    </message>
    <message>
        <source>Show the scores</source>
        <translation>Wertungen zeigen</translation>
    </message>
    <message>
        <source>Score with the language model…</source>
        <translation>Mit dem Sprachmodell werten …</translation>
    </message>
    <message>
        <source>Show decided cases like this claim</source>
        <translation>Entschiedene Fälle wie diese Aussage zeigen</translation>
    </message>
    <message>
        <source>Answer as in the earlier task</source>
        <translation>Wie in der früheren Aufgabe antworten</translation>
    </message>
    <message>
        <source>Search the libraries for this claim</source>
        <translation>Die Bibliotheken nach dieser Aussage durchsuchen</translation>
    </message>
    <message>
        <source>Add a library…</source>
        <translation>Bibliothek hinzufügen …</translation>
    </message>
    <message>
        <source>Add a folder as a library…</source>
        <translation>Ordner als Bibliothek hinzufügen …</translation>
    </message>
    <message>
        <source>Remove a library…</source>
        <translation>Bibliothek entfernen …</translation>
    </message>
    <message>
        <source>Go to the rubric’s changes</source>
        <translation>Zu den Änderungen des Fragebogens</translation>
    </message>
    <message>
        <source>Choose the changed rubric…</source>
        <translation>Geänderten Fragebogen wählen …</translation>
    </message>
    <message>
        <source>Make a bundle of these…</source>
        <translation>Daraus ein Bündel machen …</translation>
    </message>
</context>
<context>
    <name>AddressBar</name>
    <message>
        <source>Address of a page</source>
        <translation>Adresse einer Seite</translation>
    </message>
    <message>
        <source>Paste or type an address</source>
        <translation>Adresse einfügen oder eintippen</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>Reader</source>
        <translation>Leseansicht</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
</context>
<context>
    <name>AddressLine</name>
    <message>
        <source>Address: {url}</source>
        <translation>Adresse: {url}</translation>
    </message>
</context>
<context>
    <name>Announcer</name>
    <message>
        <source>No problems here</source>
        <translation>Kein Problem hier</translation>
    </message>
    <message>
        <source>Not saved. Retrying …</source>
        <translation>Nicht gespeichert. Neuer Versuch läuft …</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>Gespeichert</translation>
    </message>
</context>
<context>
    <name>AnswerCommands</name>
    <message>
        <source>The copied text has {n} characters. Copy at most {most} to take links from.</source>
        <translation>Der kopierte Text hat {n} Zeichen. Kopieren Sie höchstens {most}, um Links daraus zu übernehmen.</translation>
    </message>
    <message>
        <source>{n} links are added, {more} are not: copy at most {n} at once.</source>
        <translation>{n} Links sind hinzugefügt, {more} nicht: Kopieren Sie höchstens {n} auf einmal.</translation>
    </message>
    <message>
        <source>The clipboard has no new links.</source>
        <translation>Die Zwischenablage enthält keine neuen Links.</translation>
    </message>
    <message>
        <source>Removed: {what}</source>
        <translation>Entfernt: {what}</translation>
    </message>
    <message>
        <source>Removed.</source>
        <translation>Entfernt.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Undone in {task}, which is open again.</source>
        <translation>In {task} rückgängig gemacht; die Aufgabe ist wieder geöffnet.</translation>
    </message>
    <message>
        <source>Done again in {task}, which is open again.</source>
        <translation>In {task} wiederholt; die Aufgabe ist wieder geöffnet.</translation>
    </message>
    <message>
        <source>Not answered yet: {question}</source>
        <translation>Noch nicht beantwortet: {question}</translation>
    </message>
    <message>
        <source>Not finished: 1 problem blocks.</source>
        <translation>Nicht abgeschlossen: 1 Problem sperrt.</translation>
    </message>
    <message>
        <source>Not finished: {n} problems block.</source>
        <translation>Nicht abgeschlossen: {n} Probleme sperren.</translation>
    </message>
</context>
<context>
    <name>AnswerLine</name>
    <message>
        <source>optional</source>
        <translation>freiwillig</translation>
    </message>
    <message>
        <source>asked with any answer</source>
        <translation>gefragt bei jeder Antwort</translation>
    </message>
    <message>
        <source>asked with any answer but {label}</source>
        <translation>gefragt bei jeder Antwort außer {label}</translation>
    </message>
    <message>
        <source> or </source>
        <translation> oder </translation>
    </message>
    <message>
        <source>asked with {labels}</source>
        <translation>gefragt bei {labels}</translation>
    </message>
    <message>
        <source>not answered</source>
        <translation>nicht beantwortet</translation>
    </message>
    <message>
        <source>not asked yet</source>
        <translation>noch nicht gefragt</translation>
    </message>
</context>
<context>
    <name>ArrivalNotifier</name>
    <message>
        <source>1 bundle has arrived.</source>
        <translation>1 Bündel ist eingetroffen.</translation>
    </message>
    <message>
        <source>{n} bundles have arrived.</source>
        <translation>{n} Bündel sind eingetroffen.</translation>
    </message>
    <message>
        <source>1 bundle was sent back.</source>
        <translation>1 Bündel wurde zurückgegeben.</translation>
    </message>
    <message>
        <source>{n} bundles were sent back.</source>
        <translation>{n} Bündel wurden zurückgegeben.</translation>
    </message>
    <message>
        <source>Desktop Rater</source>
        <translation>Desktop Rater</translation>
    </message>
</context>
<context>
    <name>ArrivalsImport</name>
    <message>
        <source>Import</source>
        <translation>Einlesen</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>Später</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Importing from the hub …</source>
        <translation>Daten vom Hub werden eingelesen …</translation>
    </message>
    <message>
        <source>Importing from the hub: {done} of {total}</source>
        <translation>Daten vom Hub werden eingelesen: {done} von {total}</translation>
    </message>
    <message>
        <source>Import anyway</source>
        <translation>Trotzdem einlesen</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Jetzt nicht</translation>
    </message>
    <message>
        <source>Not imported: {why}.</source>
        <translation>Nicht eingelesen: {why}.</translation>
    </message>
    <message>
        <source>A downloaded file is missing. It will be downloaded again at the next sync.</source>
        <translation>Eine heruntergeladene Datei fehlt. Sie wird beim nächsten Abgleich noch einmal abgerufen.</translation>
    </message>
    <message>
        <source>1 task was imported.</source>
        <translation>1 Aufgabe wurde eingelesen.</translation>
    </message>
    <message>
        <source>{n} tasks were imported.</source>
        <translation>{n} Aufgaben wurden eingelesen.</translation>
    </message>
</context>
<context>
    <name>AssignmentCommand</name>
    <message>
        <source>Tables (*.csv);;All files (*)</source>
        <translation>Tabellen (*.csv);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Choose the assignment table</source>
        <translation>Zuteilungstabelle wählen</translation>
    </message>
</context>
<context>
    <name>BackupList</name>
    <message>
        <source>contents can&apos;t be read</source>
        <translation>Inhalt nicht lesbar</translation>
    </message>
    <message>
        <source>Format {n}, {size}</source>
        <translation>Format {n}, {size}</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>beschädigt</translation>
    </message>
    <message>
        <source>from a newer version of the program</source>
        <translation>aus einer neueren Version des Programms</translation>
    </message>
    <message>
        <source>is being read …</source>
        <translation>wird gelesen …</translation>
    </message>
    <message>
        <source>good</source>
        <translation>gut</translation>
    </message>
</context>
<context>
    <name>BackupRestorer</name>
    <message>
        <source>Reading the backup {name} …</source>
        <translation>Die Sicherung {name} wird gelesen …</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Not restored: the latest answers could not be saved yet. Try again once they are saved.</source>
        <translation>Nicht zurückgeholt: Die letzten Antworten sind noch nicht gespeichert. Versuchen Sie es erneut, sobald sie gespeichert sind.</translation>
    </message>
</context>
<context>
    <name>BackupRunner</name>
    <message>
        <source>Backing up …</source>
        <translation>Es wird gesichert …</translation>
    </message>
    <message>
        <source>Backed up: {revisions}, {size}. The last five good backups are kept.</source>
        <translation>Gesichert: {revisions}, {size}. Die letzten fünf guten Sicherungen bleiben.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>The backup failed: {why}</source>
        <translation>Die Sicherung ist fehlgeschlagen: {why}</translation>
    </message>
</context>
<context>
    <name>Banner</name>
    <message>
        <source>Close this message</source>
        <translation>Diese Meldung schließen</translation>
    </message>
</context>
<context>
    <name>BundleBox</name>
    <message>
        <source>Bundle</source>
        <translation>Bündel</translation>
    </message>
</context>
<context>
    <name>BundleChange</name>
    <message>
        <source>{bundle} is put away.</source>
        <translation>{bundle} ist weggelegt.</translation>
    </message>
    <message>
        <source>{bundle} is in the list again.</source>
        <translation>{bundle} steht wieder in der Liste.</translation>
    </message>
    <message>
        <source>Revision {n} of {bundle} is the current one.</source>
        <translation>Stand {n} von {bundle} ist jetzt der aktuelle.</translation>
    </message>
    <message>
        <source>Only in revision {n}: {finished} finished and {begun} begun tasks.</source>
        <translation>Aufgaben nur in Stand {n}: {finished} fertig, {begun} begonnen.</translation>
    </message>
    <message>
        <source>To be finished again, since text or questions differ: {n} tasks.</source>
        <translation>Erneut abzuschließen, weil Text oder Fragen abweichen: {n} Aufgaben.</translation>
    </message>
    <message>
        <source>To be finished again, since text or questions differ: 1 task.</source>
        <translation>Erneut abzuschließen, weil Text oder Fragen abweichen: 1 Aufgabe.</translation>
    </message>
</context>
<context>
    <name>BundleList</name>
    <message>
        <source>Bundles</source>
        <translation>Bündel</translation>
    </message>
</context>
<context>
    <name>BundlesDialog</name>
    <message>
        <source>Bundles</source>
        <translation>Bündel</translation>
    </message>
    <message>
        <source>Bundles and their revisions</source>
        <translation>Bündel und ihre Stände</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Put away</source>
        <translation>Weglegen</translation>
    </message>
    <message>
        <source>A bundle that is put away is left out of the list, and is still sent. No rating is ever removed.</source>
        <translation>Ein weggelegtes Bündel steht nicht in der Liste; seine Ergebnisse werden weiter gesendet. Bewertungen werden nie entfernt.</translation>
    </message>
    <message>
        <source>Unexpected error.</source>
        <translation>Unerwarteter Fehler.</translation>
    </message>
    <message>
        <source>1 task, {rated} rated</source>
        <translation>1 Aufgabe, {rated} bewertet</translation>
    </message>
    <message>
        <source>{tasks} tasks, {rated} rated</source>
        <translation>{tasks} Aufgaben, {rated} bewertet</translation>
    </message>
    <message>
        <source>put away</source>
        <translation>weggelegt</translation>
    </message>
    <message>
        <source>current</source>
        <translation>aktuell</translation>
    </message>
    <message>
        <source>Revision {n}</source>
        <translation>Stand {n}</translation>
    </message>
    <message>
        <source>Bring back</source>
        <translation>Zurückholen</translation>
    </message>
    <message>
        <source>Go to revision {n}</source>
        <translation>Zu Stand {n} wechseln</translation>
    </message>
</context>
<context>
    <name>CasePanel</name>
    <message>
        <source>Decided cases</source>
        <translation>Entschiedene Fälle</translation>
    </message>
    <message>
        <source>Decided before: {labels}</source>
        <translation>Früher entschieden: {labels}</translation>
    </message>
    <message>
        <source>{label} ({task} of {bundle})</source>
        <translation>{label} ({task} aus {bundle})</translation>
    </message>
    <message>
        <source>without {values}</source>
        <translation>ohne {values}</translation>
    </message>
</context>
<context>
    <name>CaseView</name>
    <message>
        <source>Decided cases</source>
        <translation>Entschiedene Fälle</translation>
    </message>
    <message>
        <source>Decided cases like this claim</source>
        <translation>Entschiedene Fälle wie diese Aussage</translation>
    </message>
    <message>
        <source>Decided cases are shown after your own answer</source>
        <translation>Entschiedene Fälle erscheinen nach der eigenen Antwort</translation>
    </message>
    <message>
        <source>Votes: {votes}</source>
        <translation>Stimmen: {votes}</translation>
    </message>
    <message>
        <source>not in this case: {values}</source>
        <translation>nicht in diesem Fall: {values}</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>Taken: {stance}</source>
        <translation>Übernommen: {stance}</translation>
    </message>
    <message>
        <source>Choose a piece of evidence of a case.</source>
        <translation>Wählen Sie einen Beleg eines Falls.</translation>
    </message>
</context>
<context>
    <name>ChoiceButton</name>
    <message>
        <source>{n} of {total}</source>
        <translation>{n} von {total}</translation>
    </message>
    <message>
        <source>chosen</source>
        <translation>gewählt</translation>
    </message>
    <message>
        <source>suggested</source>
        <translation>vorgeschlagen</translation>
    </message>
</context>
<context>
    <name>ChoiceList</name>
    <message>
        <source>Search</source>
        <translation>Suche</translation>
    </message>
</context>
<context>
    <name>CitationNavigator</name>
    <message>
        <source>No response cites any of the documents.</source>
        <translation>Keine Antwort zitiert eines der Dokumente.</translation>
    </message>
    <message>
        <source>This task has no documents.</source>
        <translation>Diese Aufgabe hat keine Dokumente.</translation>
    </message>
</context>
<context>
    <name>ClaimButtons</name>
    <message>
        <source>Claims that the page speaks of</source>
        <translation>Aussagen, um die es auf der Seite geht</translation>
    </message>
</context>
<context>
    <name>ClaimCommands</name>
    <message>
        <source>Select words with the arrow keys; hold Shift to extend. Enter records the claim, Esc cancels.</source>
        <translation>Wählen Sie mit den Pfeiltasten Wörter aus, mit Umschalt mehrere. Enter hält die Aussage fest, Esc bricht ab.</translation>
    </message>
    <message>
        <source>Claims can&apos;t be recorded here.</source>
        <translation>Hier lassen sich keine Aussagen festhalten.</translation>
    </message>
    <message>
        <source>No split is proposed here. Select the words of a claim and press L, or type one with {key}.</source>
        <translation>Hier wird keine Aufteilung vorgeschlagen. Wählen Sie die Wörter einer Aussage aus und drücken Sie L, oder tippen Sie mit {key} eine ein.</translation>
    </message>
    <message>
        <source>The proposed claim was taken out.</source>
        <translation>Die vorgeschlagene Aussage wurde herausgenommen.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Removed: {what}</source>
        <translation>Entfernt: {what}</translation>
    </message>
    <message>
        <source>the claim</source>
        <translation>die Aussage</translation>
    </message>
    <message>
        <source>What is claimed? Say it in words that stand by themselves.</source>
        <translation>Was wird behauptet? Formulieren Sie es so, dass es für sich allein verständlich ist.</translation>
    </message>
    <message>
        <source>Record the claim</source>
        <translation>Aussage festhalten</translation>
    </message>
</context>
<context>
    <name>ClaimList</name>
    <message>
        <source>Confirm</source>
        <translation>Bestätigen</translation>
    </message>
</context>
<context>
    <name>ClaimSearch</name>
    <message>
        <source>Select a claim or a target to search for.</source>
        <translation>Wählen Sie eine Aussage oder eine Stelle, nach der gesucht werden soll.</translation>
    </message>
</context>
<context>
    <name>ClaimWordsBox</name>
    <message>
        <source>The claim in words that stand by themselves</source>
        <translation>Die Aussage in Worten, die für sich allein verständlich sind</translation>
    </message>
    <message>
        <source>Add selection</source>
        <translation>Auswahl dazu</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>As proposed</source>
        <translation>Vorschlag</translation>
    </message>
</context>
<context>
    <name>ClaimsPane</name>
    <message>
        <source>Claims</source>
        <translation>Aussagen</translation>
    </message>
    <message>
        <source>+ Claim from selection</source>
        <translation>+ Aus Auswahl</translation>
    </message>
    <message>
        <source>Claims of this target</source>
        <translation>Aussagen dieser Stelle</translation>
    </message>
    <message>
        <source>Confirm all</source>
        <translation>Alle bestätigen</translation>
    </message>
    <message>
        <source>Split into {n} claims</source>
        <translation>In {n} Aussagen teilen</translation>
    </message>
    <message>
        <source>a split proposed by the bundle, yours to change</source>
        <translation>vom Bündel vorgeschlagen, änderbar</translation>
    </message>
    <message>
        <source>a split proposed by rule, yours to change</source>
        <translation>nach Regeln vorgeschlagen, änderbar</translation>
    </message>
    <message>
        <source>a split proposed by a model, yours to change</source>
        <translation>vom Modell vorgeschlagen, änderbar</translation>
    </message>
    <message>
        <source>each with its own evidence and label</source>
        <translation>jede mit eigenen Belegen und eigener Einstufung</translation>
    </message>
    <message>
        <source>not split</source>
        <translation>nicht aufgeteilt</translation>
    </message>
    <message>
        <source>proposed</source>
        <translation>vorgeschlagen</translation>
    </message>
    <message>
        <source>There is no claim here. L records one.</source>
        <translation>Hier gibt es keine Aussage. L hält eine fest.</translation>
    </message>
    <message>
        <source>These words were not proposed, and the claim names no words of the response.</source>
        <translation>Dieser Wortlaut wurde nicht vorgeschlagen, und die Aussage nennt keine Wörter der Antwort.</translation>
    </message>
    <message>
        <source>A claim needs words. Its last words are back; Delete removes the claim.</source>
        <translation>Eine Aussage braucht einen Wortlaut. Der letzte ist wieder da; Entf entfernt die Aussage.</translation>
    </message>
    <message>
        <source>to do</source>
        <translation>offen</translation>
    </message>
</context>
<context>
    <name>Commands</name>
    <message>
        <source>Export results…  {key}</source>
        <translation>Ergebnisse ausgeben …  {key}</translation>
    </message>
    <message>
        <source>All tasks of this bundle are done.</source>
        <translation>Alle Aufgaben dieses Bündels sind fertig.</translation>
    </message>
</context>
<context>
    <name>CompactForm</name>
    <message>
        <source>Go to a question of {name}: click its line, or</source>
        <translation>Zu einer Frage von {name}: Zeile anklicken oder</translation>
    </message>
</context>
<context>
    <name>ComparedValueList</name>
    <message>
        <source>Compared with the tool output</source>
        <translation>Vergleich mit der Werkzeugausgabe</translation>
    </message>
    <message>
        <source>differs: {value} in the tool output</source>
        <translation>weicht ab: {value} in der Werkzeugausgabe</translation>
    </message>
    <message>
        <source>in the tool output</source>
        <translation>in der Werkzeugausgabe</translation>
    </message>
    <message>
        <source>not there</source>
        <translation>fehlt dort</translation>
    </message>
</context>
<context>
    <name>ComparingQuestions</name>
    <message>
        <source>Questions about both</source>
        <translation>Fragen zu beiden</translation>
    </message>
</context>
<context>
    <name>ComparisonGrid</name>
    <message>
        <source>Raters side by side</source>
        <translation>Bewertende nebeneinander</translation>
    </message>
</context>
<context>
    <name>ComparisonModel</name>
    <message>
        <source>{question}, answers differ: {count}</source>
        <translation>{question}, Antworten weichen ab: {count}</translation>
    </message>
</context>
<context>
    <name>ContextMenus</name>
    <message>
        <source>Fetch the picture</source>
        <translation>Bild abrufen</translation>
    </message>
    <message>
        <source>Copy the target</source>
        <translation>Stelle kopieren</translation>
    </message>
    <message>
        <source>Open the link</source>
        <translation>Link öffnen</translation>
    </message>
    <message>
        <source>Copy the address</source>
        <translation>Adresse kopieren</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Open the task</source>
        <translation>Aufgabe öffnen</translation>
    </message>
</context>
<context>
    <name>ContextPane</name>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>Next citation</source>
        <translation>Nächster Verweis</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>Dokumente</translation>
    </message>
    <message>
        <source>Open the page</source>
        <translation>Seite öffnen</translation>
    </message>
    <message>
        <source>cited</source>
        <translation>genannt</translation>
    </message>
    <message>
        <source>1 document</source>
        <translation>1 Dokument</translation>
    </message>
    <message>
        <source>{n} documents</source>
        <translation>{n} Dokumente</translation>
    </message>
    <message>
        <source>{documents}, {n} cited</source>
        <translation>{documents}, {n} genannt</translation>
    </message>
    <message>
        <source>Document {n} of {total}: {name}</source>
        <translation>Dokument {n} von {total}: {name}</translation>
    </message>
    <message>
        <source>Fold</source>
        <translation>Zuklappen</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
</context>
<context>
    <name>CrashReport</name>
    <message>
        <source>Unexpected error</source>
        <translation>Unerwarteter Fehler</translation>
    </message>
    <message>
        <source>This is a bug in the program. Your answers remain on the screen.</source>
        <translation>Das ist ein Fehler im Programm. Ihre Antworten bleiben auf dem Bildschirm.</translation>
    </message>
    <message>
        <source>Unexpected errors since the start: {n}.</source>
        <translation>Unerwartete Fehler seit dem Start: {n}.</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>The details show where it happened. They contain none of the texts being rated.</source>
        <translation>Die Details zeigen, wo es passiert ist. Sie enthalten keinen der bewerteten Texte.</translation>
    </message>
</context>
<context>
    <name>DecideBar</name>
    <message>
        <source>Final label</source>
        <translation>Endgültiges Ergebnis</translation>
    </message>
    <message>
        <source>Leave undecided</source>
        <translation>Offen lassen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Because</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>Leave open</source>
        <translation>Offen lassen</translation>
    </message>
    <message>
        <source>Decide, next</source>
        <translation>Entscheiden, weiter</translation>
    </message>
    <message>
        <source>Decide</source>
        <translation>Entscheiden</translation>
    </message>
</context>
<context>
    <name>DetailsDialog</name>
    <message>
        <source>Details</source>
        <translation>Angaben</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>Speichern …</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Texts (*.txt)</source>
        <translation>Texte (*.txt)</translation>
    </message>
    <message>
        <source>Saved as {name}.</source>
        <translation>Gespeichert als {name}.</translation>
    </message>
    <message>
        <source>Not saved: {why}</source>
        <translation>Nicht gespeichert: {why}</translation>
    </message>
</context>
<context>
    <name>DraftHint</name>
    <message>
        <source>Draft from the record</source>
        <translation>Entwurf aus dem Protokoll</translation>
    </message>
</context>
<context>
    <name>EmptyPage</name>
    <message>
        <source>No tasks yet</source>
        <translation>Noch keine Aufgaben</translation>
    </message>
    <message>
        <source>Tasks come in a bundle: a zip file with the texts to rate and the questions to answer.</source>
        <translation>Aufgaben kommen in einem Bündel: einer Zip-Datei mit den Texten und den Fragen dazu.</translation>
    </message>
    <message>
        <source>Drop a bundle here</source>
        <translation>Bündel hier ablegen</translation>
    </message>
    <message>
        <source>The bundle is checked before it is stored.</source>
        <translation>Das Bündel wird vor dem Speichern geprüft.</translation>
    </message>
    <message>
        <source>Choose a file …</source>
        <translation>Datei wählen …</translation>
    </message>
    <message>
        <source>A shared folder, a WebDAV server or an object store that your project gave you. Bundles come from it, results go to it.</source>
        <translation>Ein geteilter Ordner, WebDAV-Server oder Objektspeicher von Ihrem Projekt. Bündel kommen von dort, Ergebnisse gehen dorthin.</translation>
    </message>
    <message>
        <source>Connect …</source>
        <translation>Verbinden …</translation>
    </message>
    <message>
        <source>Connect to a hub</source>
        <translation>Mit einem Hub verbinden</translation>
    </message>
    <message>
        <source>Tasks to try everything out, or practice with the gold answer after each task. Works offline.</source>
        <translation>Aufgaben zum Ausprobieren oder zum Üben, mit der Musterantwort nach jeder Aufgabe. Funktioniert ohne Netz.</translation>
    </message>
    <message>
        <source>Sentences</source>
        <translation>Sätze</translation>
    </message>
    <message>
        <source>Pairs of responses</source>
        <translation>Antwortpaare</translation>
    </message>
    <message>
        <source>Scales</source>
        <translation>Skalen</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>Dokumente</translation>
    </message>
    <message>
        <source>Every answer is saved at once, on this computer only.</source>
        <translation>Jede Antwort wird sofort gespeichert, nur auf diesem Computer.</translation>
    </message>
    <message>
        <source>Nothing is sent until you export or sync.</source>
        <translation>Nichts wird übertragen, bis Sie ausgeben oder abgleichen.</translation>
    </message>
    <message>
        <source>1 bundle is put away …</source>
        <translation>1 Bündel ist weggelegt …</translation>
    </message>
    <message>
        <source>{n} bundles are put away …</source>
        <translation>{n} Bündel sind weggelegt …</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Practise</source>
        <translation>Üben</translation>
    </message>
    <message>
        <source>Try a sample</source>
        <translation>Ein Beispiel ausprobieren</translation>
    </message>
    <message>
        <source>Find an action</source>
        <translation>Aktion suchen</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
</context>
<context>
    <name>EvidenceFields</name>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <source>Quote</source>
        <translation>Zitat</translation>
    </message>
    <message>
        <source>The decisive passage</source>
        <translation>Die entscheidende Passage</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>optional</source>
        <translation>freiwillig</translation>
    </message>
    <message>
        <source>Speaks of</source>
        <translation>Betrifft</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
</context>
<context>
    <name>EvidenceList</name>
    <message>
        <source>Stance?</source>
        <translation>Haltung?</translation>
    </message>
</context>
<context>
    <name>EvidencePane</name>
    <message>
        <source>Evidence</source>
        <translation>Belege</translation>
    </message>
    <message>
        <source>No pages yet</source>
        <translation>Noch keine Seiten</translation>
    </message>
    <message>
        <source>+ Paste a link</source>
        <translation>+ Link</translation>
    </message>
    <message>
        <source>Quote</source>
        <translation>Zitat</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Fold</source>
        <translation>Zuklappen</translation>
    </message>
    <message>
        <source>Address of a page, Enter adds it</source>
        <translation>Adresse einer Seite, Enter fügt sie hinzu</translation>
    </message>
    <message>
        <source>Address of new evidence</source>
        <translation>Adresse des neuen Belegs</translation>
    </message>
    <message>
        <source>This is not a web address.</source>
        <translation>Das ist keine Webadresse.</translation>
    </message>
    <message>
        <source>This page is evidence here already. Enter again adds it once more.</source>
        <translation>Diese Seite ist hier schon ein Beleg. Noch einmal Enter fügt sie erneut hinzu.</translation>
    </message>
    <message>
        <source>for all {n} claims</source>
        <translation>zu {n} Aussagen</translation>
    </message>
    <message>
        <source>for both claims</source>
        <translation>für beide Aussagen</translation>
    </message>
    <message>
        <source>This passage speaks of none of the claim&apos;s words.</source>
        <translation>In dieser Passage kommt kein Wort der Aussage vor.</translation>
    </message>
    <message>
        <source>This passage speaks of none of the target&apos;s words.</source>
        <translation>In dieser Passage kommt kein Wort der Stelle vor.</translation>
    </message>
    <message>
        <source>Which claims?</source>
        <translation>Welche Aussagen?</translation>
    </message>
    <message>
        <source>A page without an address</source>
        <translation>Eine Seite ohne Adresse</translation>
    </message>
    <message>
        <source>from {library}</source>
        <translation>aus {library}</translation>
    </message>
    <message>
        <source>page stored</source>
        <translation>Seite abgelegt</translation>
    </message>
    <message>
        <source>for claim {n}</source>
        <translation>zu Aussage {n}</translation>
    </message>
    <message>
        <source>for claims {n}</source>
        <translation>zu den Aussagen {n}</translation>
    </message>
    <message>
        <source>not opened</source>
        <translation>nicht geöffnet</translation>
    </message>
    <message>
        <source>opened {time}</source>
        <translation>geöffnet {time}</translation>
    </message>
</context>
<context>
    <name>EvidenceSummaryLine</name>
    <message>
        <source>Evidence</source>
        <translation>Belege</translation>
    </message>
    <message>
        <source>No pages yet</source>
        <translation>Noch keine Seiten</translation>
    </message>
    <message>
        <source>Paste a link</source>
        <translation>Link einfügen</translation>
    </message>
    <message>
        <source>1 page</source>
        <translation>1 Seite</translation>
    </message>
    <message>
        <source>{n} pages</source>
        <translation>{n} Seiten</translation>
    </message>
    <message>
        <source>{n} supporting</source>
        <translation>{n} stützend</translation>
    </message>
    <message>
        <source>{n} contradicting</source>
        <translation>{n} widersprechend</translation>
    </message>
    <message>
        <source>{n} not deciding</source>
        <translation>{n} nicht entscheidend</translation>
    </message>
</context>
<context>
    <name>Excerpt</name>
    <message>
        <source>Text being judged</source>
        <translation>Beurteilter Text</translation>
    </message>
    <message>
        <source>Show the page as the rater saw it</source>
        <translation>Seite zeigen, wie die Person sie sah</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Anfrage</translation>
    </message>
    <message>
        <source>Response {name}</source>
        <translation>Antwort {name}</translation>
    </message>
</context>
<context>
    <name>FieldsDialog</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>FileDialogs</name>
    <message>
        <source>Open bundles or results</source>
        <translation>Bündel oder Ergebnisse öffnen</translation>
    </message>
    <message>
        <source>Save the report</source>
        <translation>Bericht speichern</translation>
    </message>
    <message>
        <source>Reports (*.html *.csv);;All files (*)</source>
        <translation>Berichte (*.html *.csv);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Export results</source>
        <translation>Ergebnisse ausgeben</translation>
    </message>
    <message>
        <source>Results (*.zip)</source>
        <translation>Ergebnisse (*.zip)</translation>
    </message>
    <message>
        <source>Save the final labels</source>
        <translation>Endgültige Ergebnisse speichern</translation>
    </message>
    <message>
        <source>Results and tables (*.zip *.csv *.jsonl *.parquet)</source>
        <translation>Ergebnisse und Tabellen (*.zip *.csv *.jsonl *.parquet)</translation>
    </message>
    <message>
        <source>Restore a backup</source>
        <translation>Sicherung zurückholen</translation>
    </message>
    <message>
        <source>Backups (*.zip *.sqlite3);;All files (*)</source>
        <translation>Sicherungen (*.zip *.sqlite3);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Bundles and results (*.rater *.zip);;All files (*)</source>
        <translation>Bündel und Ergebnisse (*.rater *.zip);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Open a folder of results or a dataset</source>
        <translation>Ordner mit Ergebnissen oder Datensatz öffnen</translation>
    </message>
    <message>
        <source>Choose the folder of the hub</source>
        <translation>Ordner des Hubs wählen</translation>
    </message>
    <message>
        <source>Choose a file with certificates</source>
        <translation>Datei mit Zertifikaten wählen</translation>
    </message>
    <message>
        <source>Certificates (*.pem *.crt *.cer);;All files (*)</source>
        <translation>Zertifikate (*.pem *.crt *.cer);;Alle Dateien (*)</translation>
    </message>
</context>
<context>
    <name>FilterChip</name>
    <message>
        <source>Remove the filter: {name}</source>
        <translation>Filter entfernen: {name}</translation>
    </message>
</context>
<context>
    <name>FilterField</name>
    <message>
        <source>Filter tasks</source>
        <translation>Aufgaben filtern</translation>
    </message>
</context>
<context>
    <name>FinalLabelsCommand</name>
    <message>
        <source>{name} was not saved. Use one of these file extensions: {endings}.</source>
        <translation>{name} wurde nicht gespeichert. Möglich sind die Dateiendungen {endings}.</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Save decided labels</source>
        <translation>Entschiedenes speichern</translation>
    </message>
    <message>
        <source>Nothing was saved.</source>
        <translation>Nichts wurde gespeichert.</translation>
    </message>
    <message>
        <source>1 task was saved to {name}.</source>
        <translation>1 Aufgabe wurde in {name} gespeichert.</translation>
    </message>
    <message>
        <source>{n} tasks were saved to {name}.</source>
        <translation>{n} Aufgaben wurden in {name} gespeichert.</translation>
    </message>
    <message>
        <source>1 decision was saved to {name}.</source>
        <translation>1 Entscheidung wurde in {name} gespeichert.</translation>
    </message>
    <message>
        <source>{n} decisions were saved to {name}.</source>
        <translation>{n} Entscheidungen wurden in {name} gespeichert.</translation>
    </message>
    <message>
        <source>Without a final label: {places}.</source>
        <translation>Noch ohne endgültiges Ergebnis: {places}.</translation>
    </message>
    <message>
        <source>{names} and {n} more</source>
        <translation>{names} und {n} weitere</translation>
    </message>
    <message>
        <source>Not included, because no complete rating matches the decision: {tasks}. Correct a rating of each task, or save a table instead.</source>
        <translation>Nicht enthalten, weil keine vollständige Bewertung der Entscheidung entspricht: {tasks}. Berichtigen Sie je eine Bewertung, oder speichern Sie stattdessen eine Tabelle.</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Find in the text</source>
        <translation>Im Text suchen</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Select the targets</source>
        <translation>Stellen auswählen</translation>
    </message>
    <message>
        <source>Find in: {name}</source>
        <translation>Suchen in: {name}</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>nicht gefunden</translation>
    </message>
    <message>
        <source>more than {n}</source>
        <translation>mehr als {n}</translation>
    </message>
    <message>
        <source>{n} of {total}</source>
        <translation>{n} von {total}</translation>
    </message>
    <message>
        <source>{total} places</source>
        <translation>{total} Treffer</translation>
    </message>
    <message>
        <source>1 place</source>
        <translation>1 Treffer</translation>
    </message>
</context>
<context>
    <name>FindButton</name>
    <message>
        <source>Find an action</source>
        <translation>Aktion suchen</translation>
    </message>
</context>
<context>
    <name>FormPane</name>
    <message>
        <source>Questions</source>
        <translation>Fragen</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Back to the form</source>
        <translation>Zurück zu den Fragen</translation>
    </message>
    <message>
        <source>Rate this task</source>
        <translation>Diese Aufgabe bewerten</translation>
    </message>
    <message>
        <source>Skipped: {reason}.</source>
        <translation>Übersprungen: {reason}.</translation>
    </message>
    <message>
        <source>Target {n} of {total}</source>
        <translation>Stelle {n} von {total}</translation>
    </message>
    <message>
        <source>Response {name}</source>
        <translation>Antwort {name}</translation>
    </message>
    <message>
        <source>Response</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Whole task</source>
        <translation>Ganze Aufgabe</translation>
    </message>
    <message>
        <source>{n} claims</source>
        <translation>{n} Aussagen</translation>
    </message>
    <message>
        <source>1 claim</source>
        <translation>1 Aussage</translation>
    </message>
    <message>
        <source>Next task</source>
        <translation>Nächste Aufgabe</translation>
    </message>
    <message>
        <source>Skip the task</source>
        <translation>Aufgabe überspringen</translation>
    </message>
    <message>
        <source>Texts only</source>
        <translation>Nur Texte</translation>
    </message>
    <message>
        <source>1 to confirm</source>
        <translation>1 zu bestätigen</translation>
    </message>
    <message>
        <source>{n} to confirm</source>
        <translation>{n} zu bestätigen</translation>
    </message>
    <message>
        <source>{n} targets selected</source>
        <translation>{n} Stellen ausgewählt</translation>
    </message>
    <message>
        <source>answers go to all of them · Esc</source>
        <translation>Antworten gelten für alle · Esc</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Next claim</source>
        <translation>Nächste Aussage</translation>
    </message>
    <message>
        <source>Next target</source>
        <translation>Nächste Stelle</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Blocked by a problem</source>
        <translation>Durch ein Problem gesperrt</translation>
    </message>
    <message>
        <source>Complete</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Skipped</source>
        <translation>Übersprungen</translation>
    </message>
</context>
<context>
    <name>GoalDialog</name>
    <message>
        <source>Your goal</source>
        <translation>Ihr Tagesziel</translation>
    </message>
    <message>
        <source>Targets or responses a day. 0 is no goal. Nobody else sees it.</source>
        <translation>Stellen oder Antworten am Tag. 0: kein Ziel. Niemand sonst sieht es.</translation>
    </message>
    <message>
        <source>Targets a day</source>
        <translation>Stellen am Tag</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Übernehmen</translation>
    </message>
</context>
<context>
    <name>GoldDetails</name>
    <message>
        <source>Gold</source>
        <translation>Musterantwort</translation>
    </message>
    <message>
        <source>You</source>
        <translation>Sie</translation>
    </message>
    <message>
        <source>same as gold</source>
        <translation>wie die Musterantwort</translation>
    </message>
    <message>
        <source>differs</source>
        <translation>weicht ab</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>Claim {n}</source>
        <translation>Aussage {n}</translation>
    </message>
    <message>
        <source>Page: {page}</source>
        <translation>Seite: {page}</translation>
    </message>
    <message>
        <source>Open the page</source>
        <translation>Seite öffnen</translation>
    </message>
    <message>
        <source>Guideline: {section}</source>
        <translation>Leitfaden: {section}</translation>
    </message>
</context>
<context>
    <name>GoldPage</name>
    <message>
        <source>Gold answer</source>
        <translation>Musterantwort</translation>
    </message>
    <message>
        <source>Gold answer by place</source>
        <translation>Musterantwort nach Stellen</translation>
    </message>
    <message>
        <source>Back to my answers</source>
        <translation>Zurück zu meinen Antworten</translation>
    </message>
    <message>
        <source>you: {answer}</source>
        <translation>Sie: {answer}</translation>
    </message>
    <message>
        <source>same as gold</source>
        <translation>wie die Musterantwort</translation>
    </message>
</context>
<context>
    <name>GoldWords</name>
    <message>
        <source>Target {n}</source>
        <translation>Stelle {n}</translation>
    </message>
    <message>
        <source>Response {name}</source>
        <translation>Antwort {name}</translation>
    </message>
    <message>
        <source>Whole task</source>
        <translation>Ganze Aufgabe</translation>
    </message>
    <message>
        <source>{value}: the worst of its claims.</source>
        <translation>{value}: die schlechteste ihrer Aussagen.</translation>
    </message>
    <message>
        <source>{value}, by the rule {rule}. {message}</source>
        <translation>{value}, nach der Regel {rule}. {message}</translation>
    </message>
    <message>
        <source>You skipped this task, as does the gold answer.</source>
        <translation>Sie haben diese Aufgabe übersprungen, ebenso wie die Musterantwort.</translation>
    </message>
    <message>
        <source>You skipped this task. The gold answer rates it.</source>
        <translation>Sie haben diese Aufgabe übersprungen. Die Musterantwort bewertet sie.</translation>
    </message>
    <message>
        <source>The gold answer skips this task: {reason}. {comment}</source>
        <translation>Die Musterantwort überspringt diese Aufgabe: {reason}. {comment}</translation>
    </message>
    <message>
        <source>The gold answer has nothing to compare with yours.</source>
        <translation>Die Musterantwort enthält nichts, das mit Ihrer verglichen werden kann.</translation>
    </message>
    <message>
        <source>The gold answer covers part of the task: {n} of {total} targets match.</source>
        <translation>Die Musterantwort umfasst einen Teil der Aufgabe: {n} von {total} Stellen stimmen überein.</translation>
    </message>
    <message>
        <source>The gold answer covers part of the task: {n} of {total} answers match.</source>
        <translation>Die Musterantwort umfasst einen Teil der Aufgabe: {n} von {total} Antworten stimmen überein.</translation>
    </message>
    <message>
        <source>{n} of {total} targets match the gold answer.</source>
        <translation>{n} von {total} Stellen stimmen mit der Musterantwort überein.</translation>
    </message>
    <message>
        <source>{n} of {total} answers match the gold answer.</source>
        <translation>{n} von {total} Antworten stimmen mit der Musterantwort überein.</translation>
    </message>
    <message>
        <source>This session: {n} of {total} targets in {tasks} tasks.</source>
        <translation>In dieser Sitzung: {n} von {total} Stellen in {tasks} Aufgaben.</translation>
    </message>
    <message>
        <source>This session: {n} of {total} answers in {tasks} tasks.</source>
        <translation>In dieser Sitzung: {n} von {total} Antworten in {tasks} Aufgaben.</translation>
    </message>
</context>
<context>
    <name>GradingPage</name>
    <message>
        <source>Grade texts</source>
        <translation>Texte benoten</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Compare with the scores</source>
        <translation>Mit den Wertungen vergleichen</translation>
    </message>
    <message>
        <source>Back to the texts</source>
        <translation>Zurück zu den Texten</translation>
    </message>
    <message>
        <source>How well does the text say what the gold text says? 1: not at all, 10: all of it</source>
        <translation>Wie gut sagt der Text, was der Mustertext sagt? 1: gar nicht, 10: alles</translation>
    </message>
    <message>
        <source>{n} of {total} texts graded; grades are saved automatically</source>
        <translation>{n} von {total} Texten benotet; Noten werden automatisch gespeichert</translation>
    </message>
    <message>
        <source>Text {n} of {total}</source>
        <translation>Text {n} von {total}</translation>
    </message>
    <message>
        <source>{n} graded</source>
        <translation>{n} benotet</translation>
    </message>
    <message>
        <source>Gold: {text}</source>
        <translation>Muster: {text}</translation>
    </message>
</context>
<context>
    <name>GripHandle</name>
    <message>
        <source>Height of texts and questions</source>
        <translation>Höhe der Texte und Fragen</translation>
    </message>
</context>
<context>
    <name>GuidedTask</name>
    <message>
        <source>Read the prompt and the response. The box marks the target: the sentence that is judged now. {next_target} goes to the next one.</source>
        <translation>Lesen Sie Anfrage und Antwort. Der Rahmen zeigt die Stelle: den Satz, der jetzt beurteilt wird. {next_target} führt zur nächsten.</translation>
    </message>
    <message>
        <source>Answer the question at the blue line: click a choice, or press the key on it. Then comes the next one.</source>
        <translation>Beantworten Sie die Frage an der blauen Linie: Klicken Sie eine Antwort an, oder drücken Sie die Taste, die darauf steht. Dann folgt die nächste Frage.</translation>
    </message>
    <message>
        <source>Look it up: {next_link} opens a link of the response, {evidence} adds another page. There the arrow keys choose a sentence; {supports} takes it as supporting, {contradicts} as contradicting. {link_matches} says that a link shows what the text says, {link_differs} that it does not.</source>
        <translation>Schlagen Sie nach: {next_link} öffnet einen Link der Antwort, {evidence} fügt eine andere Seite hinzu. Dort wählen die Pfeiltasten einen Satz; {supports} übernimmt ihn als stützend, {contradicts} als widersprechend. {link_matches} sagt, dass ein Link zeigt, was der Text sagt, {link_differs}, dass er es nicht tut.</translation>
    </message>
    <message>
        <source>Answer what is still open, down to the label. Rest the pointer on a label to read what it means; {guideline} opens the guideline. What does not fit together is named below, with a way out.</source>
        <translation>Beantworten Sie, was noch offen ist, bis zur Einstufung. Ruht der Zeiger auf einer Einstufung, erscheint ihre Bedeutung; {guideline} öffnet den Leitfaden. Was nicht zusammenpasst, steht unten, mit einem Ausweg.</translation>
    </message>
    <message>
        <source>Enter goes on to the next target. When all tasks are done, {export} writes the results. Nothing leaves this computer before.</source>
        <translation>Enter führt zur nächsten Stelle. Sind alle Aufgaben fertig, gibt {export} die Ergebnisse aus. Vorher verlässt nichts diesen Computer.</translation>
    </message>
    <message>
        <source>Step {n} of {total}</source>
        <translation>Schritt {n} von {total}</translation>
    </message>
    <message>
        <source>End the guide</source>
        <translation>Einführung beenden</translation>
    </message>
    <message>
        <source>Next step</source>
        <translation>Nächster Schritt</translation>
    </message>
</context>
<context>
    <name>GuidelineChanges</name>
    <message>
        <source>Changes of the guideline: {bundle}</source>
        <translation>Änderungen des Leitfadens: {bundle}</translation>
    </message>
    <message>
        <source>Changed lines</source>
        <translation>Geänderte Zeilen</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>Lesen</translation>
    </message>
    <message>
        <source>Before: {text}</source>
        <translation>Vorher: {text}</translation>
    </message>
    <message>
        <source>Now: {text}</source>
        <translation>Jetzt: {text}</translation>
    </message>
</context>
<context>
    <name>GuidelinesPane</name>
    <message>
        <source>Guidelines</source>
        <translation>Leitfaden</translation>
    </message>
    <message>
        <source>Search the guidelines</source>
        <translation>Im Leitfaden suchen</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>No section “{name}”</source>
        <translation>Kein Abschnitt „{name}“</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>Nicht gefunden</translation>
    </message>
    <message>
        <source>{n} of {total}</source>
        <translation>{n} von {total}</translation>
    </message>
</context>
<context>
    <name>HelpCommands</name>
    <message>
        <source>The log is empty.</source>
        <translation>Das Protokoll ist leer.</translation>
    </message>
    <message>
        <source>This is the log of the program, {path}. It contains no rated texts, names or addresses.</source>
        <translation>Das ist das Protokoll des Programms, {path}. Es enthält keine bewerteten Texte, Namen oder Adressen.</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>Save this report, and send it with a description of what you did to those who look after the program. It contains versions and the latest events, but no rated texts, names or addresses.</source>
        <translation>Speichern Sie diesen Bericht und schicken Sie ihn, mit einer Beschreibung, was Sie getan haben, an die Betreuung des Programms. Er enthält Versionen und die letzten Ereignisse, aber keine bewerteten Texte, Namen oder Adressen.</translation>
    </message>
    <message>
        <source>Report a crash</source>
        <translation>Absturz melden</translation>
    </message>
    <message>
        <source>{name}, as it came with the program.</source>
        <translation>{name}, wie mit dem Programm geliefert.</translation>
    </message>
    <message>
        <source>This copy of the program runs from its sources. These are the licences of the installed packages. `make notices` writes those of all packages, also for other systems, to {name} in build/.</source>
        <translation>Dieses Programm läuft aus seinem Quelltext. Dies sind die Lizenzen der installierten Pakete. `make notices` schreibt die Lizenzen aller Pakete, auch für andere Systeme, in die Datei {name} in build/.</translation>
    </message>
    <message>
        <source>About Desktop Rater</source>
        <translation>Über Desktop Rater</translation>
    </message>
</context>
<context>
    <name>HiddenWorkQuestion</name>
    <message>
        <source>Import a bundle</source>
        <translation>Bündel einlesen</translation>
    </message>
    <message>
        <source>Import revision {revision} of {bundle}?</source>
        <translation>Stand {revision} von {bundle} einlesen?</translation>
    </message>
    <message>
        <source>Import anyway</source>
        <translation>Trotzdem einlesen</translation>
    </message>
    <message>
        <source>Keep revision {n}</source>
        <translation>Bei Stand {n} bleiben</translation>
    </message>
    <message>
        <source>Do not import</source>
        <translation>Nicht einlesen</translation>
    </message>
    <message>
        <source>The store has revision {n}, so {next} would be next. This number may be a slip.</source>
        <translation>Die Ablage hat Stand {n}, als nächster käme also {next}. Diese Nummer ist vielleicht ein Versehen.</translation>
    </message>
    <message>
        <source>This number is unusually high; it may be a slip.</source>
        <translation>Diese Nummer ist ungewöhnlich hoch, vielleicht ein Versehen.</translation>
    </message>
    <message>
        <source>It lacks tasks that were rated: {finished} finished, {begun} begun. They would go out of sight. Their ratings stay in the store, and come back with revision {n} (File, Bundles and revisions…).</source>
        <translation>Darin fehlen bewertete Aufgaben: {finished} fertig, {begun} begonnen. Sie wären nicht mehr zu sehen. Die Bewertungen bleiben in der Ablage und kommen mit Stand {n} zurück (Datei, Bündel und Stände …).</translation>
    </message>
    <message>
        <source>Ask your team if you did not expect this bundle.</source>
        <translation>Fragen Sie Ihr Team, wenn Sie dieses Bündel nicht erwartet haben.</translation>
    </message>
</context>
<context>
    <name>History</name>
    <message>
        <source>The task as received</source>
        <translation>Die Aufgabe, wie erhalten</translation>
    </message>
    <message>
        <source>This state can&apos;t be read: the stored data was altered</source>
        <translation>Dieser Stand ist nicht lesbar: Die gespeicherten Daten wurden verändert</translation>
    </message>
    <message>
        <source>No answer changed</source>
        <translation>Keine Antwort geändert</translation>
    </message>
    <message>
        <source>by Undo</source>
        <translation>durch Rückgängig</translation>
    </message>
    <message>
        <source>by Redo</source>
        <translation>durch Wiederholen</translation>
    </message>
    <message>
        <source>by restoring an earlier state</source>
        <translation>durch Wiederherstellen</translation>
    </message>
    <message>
        <source>by repeating another target&apos;s answers</source>
        <translation>durch Übernehmen der Antworten einer anderen Stelle</translation>
    </message>
    <message>
        <source>from a file</source>
        <translation>aus einer Datei</translation>
    </message>
    <message>
        <source>{place}: {what}</source>
        <translation>{place}: {what}</translation>
    </message>
    <message>
        <source>{place}, {what}</source>
        <translation>{place}, {what}</translation>
    </message>
    <message>
        <source>Target {name}, which is no longer there</source>
        <translation>Stelle {name}, die es nicht mehr gibt</translation>
    </message>
    <message>
        <source>Target {n}</source>
        <translation>Stelle {n}</translation>
    </message>
    <message>
        <source>{target}, claim {n}</source>
        <translation>{target}, Aussage {n}</translation>
    </message>
    <message>
        <source>Response</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Response {name}</source>
        <translation>Antwort {name}</translation>
    </message>
    <message>
        <source>{question}: answer cleared</source>
        <translation>{question}: Antwort entfernt</translation>
    </message>
    <message>
        <source>{question}: {value}</source>
        <translation>{question}: {value}</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>link {page}: {verdict}</source>
        <translation>Link {page}: {verdict}</translation>
    </message>
    <message>
        <source>no verdict</source>
        <translation>kein Urteil</translation>
    </message>
    <message>
        <source>recorded, {text}</source>
        <translation>aufgenommen, {text}</translation>
    </message>
    <message>
        <source>is now {text}</source>
        <translation>ist jetzt {text}</translation>
    </message>
    <message>
        <source>removed, {text}</source>
        <translation>entfernt, {text}</translation>
    </message>
    <message>
        <source>a warning was acknowledged</source>
        <translation>eine Warnung wurde hingenommen</translation>
    </message>
    <message>
        <source>acknowledgement of a warning withdrawn</source>
        <translation>Hinnahme einer Warnung zurückgenommen</translation>
    </message>
    <message>
        <source>note to the QA lead, {text}</source>
        <translation>Notiz an die Prüfleitung, {text}</translation>
    </message>
    <message>
        <source>skip withdrawn</source>
        <translation>Überspringen zurückgenommen</translation>
    </message>
    <message>
        <source>the task is skipped: {reason}</source>
        <translation>die Aufgabe ist übersprungen: {reason}</translation>
    </message>
    <message>
        <source>the task is finished</source>
        <translation>die Aufgabe ist fertig</translation>
    </message>
    <message>
        <source>the task is unfinished again</source>
        <translation>die Aufgabe ist wieder offen</translation>
    </message>
    <message>
        <source>the note to the QA lead is removed</source>
        <translation>die Notiz an die Prüfleitung ist entfernt</translation>
    </message>
    <message>
        <source>without a page</source>
        <translation>ohne Seite</translation>
    </message>
    <message>
        <source>evidence removed, {page}</source>
        <translation>Beleg entfernt, {page}</translation>
    </message>
    <message>
        <source>supports</source>
        <translation>stützt</translation>
    </message>
    <message>
        <source>contradicts</source>
        <translation>widerspricht</translation>
    </message>
    <message>
        <source>does not decide, {reason}</source>
        <translation>entscheidet nicht, {reason}</translation>
    </message>
    <message>
        <source>evidence added, {page}</source>
        <translation>Beleg aufgenommen, {page}</translation>
    </message>
    <message>
        <source>evidence changed, {page}</source>
        <translation>Beleg geändert, {page}</translation>
    </message>
    <message>
        <source>borders reset to the bundle&apos;s</source>
        <translation>Grenzen auf die des Bündels zurückgesetzt</translation>
    </message>
    <message>
        <source>the borders are reported, {text}</source>
        <translation>die Grenzen sind gemeldet, {text}</translation>
    </message>
    <message>
        <source>now contains {text}</source>
        <translation>umfasst jetzt {text}</translation>
    </message>
</context>
<context>
    <name>HistoryCommands</name>
    <message>
        <source>This is an earlier state: {state}. It is read-only.</source>
        <translation>Dies ist ein früherer Stand: {state}. Er lässt sich nicht ändern.</translation>
    </message>
    <message>
        <source>Back to the current state</source>
        <translation>Zum aktuellen Stand</translation>
    </message>
    <message>
        <source>Restore this state</source>
        <translation>Diesen Stand wiederherstellen</translation>
    </message>
    <message>
        <source>Restored: {state}.</source>
        <translation>Wiederhergestellt: {state}.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>1 state</source>
        <translation>1 Stand</translation>
    </message>
    <message>
        <source>{n} states</source>
        <translation>{n} Stände</translation>
    </message>
    <message>
        <source>the latest {n} states</source>
        <translation>die letzten {n} Stände</translation>
    </message>
    <message>
        <source>not saved yet</source>
        <translation>noch nicht gespeichert</translation>
    </message>
    <message>
        <source>revision {n}</source>
        <translation>Stand {n}</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>shown</source>
        <translation>gezeigt</translation>
    </message>
    <message>
        <source>as it was on {time}</source>
        <translation>wie am {time}</translation>
    </message>
    <message>
        <source>as received</source>
        <translation>wie erhalten</translation>
    </message>
</context>
<context>
    <name>HistoryPane</name>
    <message>
        <source>History of this task</source>
        <translation>Verlauf dieser Aufgabe</translation>
    </message>
    <message>
        <source>Changes, latest first</source>
        <translation>Änderungen, die neuesten zuerst</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Restore this state</source>
        <translation>Diesen Stand wiederherstellen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>Hub</name>
    <message>
        <source>No hub</source>
        <translation>Kein Hub</translation>
    </message>
    <message>
        <source>{n} stopped</source>
        <translation>{n} gescheitert</translation>
    </message>
    <message>
        <source>1 waits</source>
        <translation>1 wartet</translation>
    </message>
    <message>
        <source>{n} wait</source>
        <translation>{n} warten</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Offline</source>
        <translation>Offline</translation>
    </message>
    <message>
        <source>Asking the hub …</source>
        <translation>Hub wird gefragt …</translation>
    </message>
    <message>
        <source>Fetching {n} of {total}</source>
        <translation>Wird abgerufen: {n} von {total}</translation>
    </message>
    <message>
        <source>Exporting results …</source>
        <translation>Ergebnisse werden erstellt …</translation>
    </message>
    <message>
        <source>Sending {n} of {total}</source>
        <translation>Wird gesendet: {n} von {total}</translation>
    </message>
    <message>
        <source>Comparing with the hub …</source>
        <translation>Vergleich mit dem Hub …</translation>
    </message>
    <message>
        <source>Syncing …</source>
        <translation>Abgleich läuft …</translation>
    </message>
    <message>
        <source>, </source>
        <translation>, </translation>
    </message>
    <message>
        <source>not synced yet</source>
        <translation>noch nicht abgeglichen</translation>
    </message>
    <message>
        <source>synced before the clock was set back</source>
        <translation>vor dem Rückstellen der Uhr abgeglichen</translation>
    </message>
    <message>
        <source>synced just now</source>
        <translation>eben abgeglichen</translation>
    </message>
    <message>
        <source>synced {n} min ago</source>
        <translation>vor {n} min abgeglichen</translation>
    </message>
    <message>
        <source>synced {n} h ago</source>
        <translation>vor {n} h abgeglichen</translation>
    </message>
    <message>
        <source>synced yesterday</source>
        <translation>gestern abgeglichen</translation>
    </message>
    <message>
        <source>synced {n} days ago</source>
        <translation>vor {n} Tagen abgeglichen</translation>
    </message>
    <message>
        <source>next try at the next sync</source>
        <translation>nächster Versuch beim nächsten Abgleich</translation>
    </message>
    <message>
        <source>next try in {n} s</source>
        <translation>neuer Versuch in {n} s</translation>
    </message>
    <message>
        <source>next try in {n} min</source>
        <translation>neuer Versuch in {n} min</translation>
    </message>
    <message>
        <source>1 try</source>
        <translation>1 Versuch</translation>
    </message>
    <message>
        <source>{n} tries</source>
        <translation>{n} Versuche</translation>
    </message>
    <message>
        <source>Since {when}</source>
        <translation>Seit {when}</translation>
    </message>
    <message>
        <source>Results of {bundle}, no. {n}</source>
        <translation>Ergebnisse von {bundle}, Nr. {n}</translation>
    </message>
    <message>
        <source>Bundle {bundle}, revision {n}</source>
        <translation>Bündel {bundle}, Stand {n}</translation>
    </message>
    <message>
        <source>{bundle} for {rater}</source>
        <translation>{bundle} für {rater}</translation>
    </message>
    <message>
        <source>{bundle} back to {rater}</source>
        <translation>{bundle} zurück an {rater}</translation>
    </message>
    <message>
        <source>The public key of {rater}</source>
        <translation>Öffentlicher Schlüssel von {rater}</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>is being sent</source>
        <translation>wird gesendet</translation>
    </message>
    <message>
        <source>sent, not verified yet</source>
        <translation>gesendet, noch nicht geprüft</translation>
    </message>
    <message>
        <source>on the hub</source>
        <translation>auf dem Hub</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>gescheitert</translation>
    </message>
    <message>
        <source>not signed by the lead</source>
        <translation>nicht von der Prüfleitung</translation>
    </message>
    <message>
        <source>1 task</source>
        <translation>1 Aufgabe</translation>
    </message>
    <message>
        <source>{n} tasks</source>
        <translation>{n} Aufgaben</translation>
    </message>
    <message>
        <source>Sent back by the QA lead, {tasks}</source>
        <translation>Zurückgegeben von der Prüfleitung, {tasks}</translation>
    </message>
    <message>
        <source>Revision {n}, {tasks}</source>
        <translation>Stand {n}, {tasks}</translation>
    </message>
    <message>
        <source>not imported yet</source>
        <translation>noch nicht eingelesen</translation>
    </message>
    <message>
        <source>imported</source>
        <translation>eingelesen</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>abgewiesen</translation>
    </message>
    <message>
        <source>It is signed with a key that is not the lead&apos;s.</source>
        <translation>Unterschrieben ist es mit einem anderen Schlüssel als dem der Prüfleitung.</translation>
    </message>
    <message>
        <source>The lead has not signed it.</source>
        <translation>Die Prüfleitung hat es nicht unterschrieben.</translation>
    </message>
    <message>
        <source>Not imported, because the lead has not signed it: {names}.</source>
        <translation>Nicht eingelesen, weil die Unterschrift der Prüfleitung fehlt: {names}.</translation>
    </message>
    <message>
        <source>Not imported, because the lead has not signed them: {names}.</source>
        <translation>Nicht eingelesen, weil die Unterschrift der Prüfleitung fehlt: {names}.</translation>
    </message>
    <message>
        <source>Nobody vouches for the bundles of this hub: it names no key of a lead.</source>
        <translation>Niemand bürgt für die Bündel dieses Hubs: Er nennt keinen Schlüssel der Prüfleitung.</translation>
    </message>
    <message>
        <source>The lead&apos;s key is {key}. Only what is signed with it counts as the lead&apos;s.</source>
        <translation>Der Schlüssel der Prüfleitung ist {key}. Nur was damit unterschrieben ist, gilt als von ihr.</translation>
    </message>
    <message>
        <source>The hub names no lead&apos;s key any more. {key} is still trusted.</source>
        <translation>Der Hub nennt keinen Schlüssel der Prüfleitung mehr. {key} wird weiterhin vertraut.</translation>
    </message>
    <message>
        <source>The hub now names another lead&apos;s key, {named}. It is not trusted; {key} still is. Ask the lead, for example by telephone, before you trust the new one.</source>
        <translation>Der Hub nennt jetzt einen anderen Schlüssel der Prüfleitung, {named}. Ihm wird nicht vertraut, sondern weiterhin {key}. Fragen Sie die Prüfleitung, etwa am Telefon, bevor Sie dem neuen vertrauen.</translation>
    </message>
    <message>
        <source>{names} and {n} more</source>
        <translation>{names} und noch {n}</translation>
    </message>
    <message>
        <source>The QA lead sent work back: {names}.</source>
        <translation>Die Prüfleitung hat Arbeit zurückgegeben: {names}.</translation>
    </message>
    <message>
        <source>A bundle is available: {names}.</source>
        <translation>Ein Bündel ist verfügbar: {names}.</translation>
    </message>
    <message>
        <source>{n} bundles are available: {names}.</source>
        <translation>{n} Bündel sind verfügbar: {names}.</translation>
    </message>
    <message>
        <source>1 bundle is available:</source>
        <translation>1 Bündel ist verfügbar:</translation>
    </message>
    <message>
        <source>{n} bundles are available:</source>
        <translation>{n} Bündel sind verfügbar:</translation>
    </message>
    <message>
        <source>works</source>
        <translation>geht</translation>
    </message>
    <message>
        <source>does not work</source>
        <translation>geht nicht</translation>
    </message>
    <message>
        <source>1 result waits.</source>
        <translation>1 Ergebnis wartet.</translation>
    </message>
    <message>
        <source>{n} results wait.</source>
        <translation>{n} Ergebnisse warten.</translation>
    </message>
    <message>
        <source>1 result is waiting for the next sync.</source>
        <translation>1 Ergebnis wartet auf den nächsten Abgleich.</translation>
    </message>
    <message>
        <source>{n} results are waiting for the next sync.</source>
        <translation>{n} Ergebnisse warten auf den nächsten Abgleich.</translation>
    </message>
    <message>
        <source>1 transfer failed.</source>
        <translation>1 Übertragung ist fehlgeschlagen.</translation>
    </message>
    <message>
        <source>{n} transfers failed.</source>
        <translation>{n} Übertragungen sind fehlgeschlagen.</translation>
    </message>
    <message>
        <source>The clock of this computer is {n} min behind the hub&apos;s.</source>
        <translation>Die Uhr dieses Rechners geht {n} min nach, verglichen mit der des Hubs.</translation>
    </message>
    <message>
        <source>The clock of this computer is {n} min ahead of the hub&apos;s.</source>
        <translation>Die Uhr dieses Rechners geht {n} min vor, verglichen mit der des Hubs.</translation>
    </message>
</context>
<context>
    <name>HubButton</name>
    <message>
        <source>No hub</source>
        <translation>Kein Hub</translation>
    </message>
    <message>
        <source>Hub: {words}</source>
        <translation>Hub: {words}</translation>
    </message>
</context>
<context>
    <name>HubConnectPage</name>
    <message>
        <source>Your name in ratings</source>
        <translation>Ihr Name in Bewertungen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>Verbinden</translation>
    </message>
    <message>
        <source>Trying the hub, {n} s. Two tiny files are written and read back.</source>
        <translation>Der Hub wird erprobt, {n} s. Zwei winzige Dateien werden geschrieben und zurückgelesen.</translation>
    </message>
    <message>
        <source>Sign in again</source>
        <translation>Neu anmelden</translation>
    </message>
    <message>
        <source>Connect to a hub</source>
        <translation>Mit einem Hub verbinden</translation>
    </message>
    <message>
        <source>Your project provides the hub&apos;s address. Bundles are downloaded from it and results are uploaded to it.</source>
        <translation>Die Adresse des Hubs erhalten Sie von Ihrem Projekt. Von dort kommen Bündel, dorthin gehen Ergebnisse.</translation>
    </message>
    <message>
        <source>Enter the password again. Pending uploads are not affected.</source>
        <translation>Geben Sie das Kennwort noch einmal ein. Ausstehende Sendungen bleiben erhalten.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>HubDialog</name>
    <message>
        <source>Hub</source>
        <translation>Hub</translation>
    </message>
</context>
<context>
    <name>HubDialogController</name>
    <message>
        <source>This location is not a hub yet: it has no hub.json. The project lead sets it up with “hub init”.</source>
        <translation>Hier ist noch kein Hub eingerichtet: Es fehlt eine hub.json. Die Projektleitung richtet ihn mit „hub init“ ein.</translation>
    </message>
    <message>
        <source>The password is stored in {keeper}.</source>
        <translation>Das Kennwort ist hier gespeichert: {keeper}.</translation>
    </message>
    <message>
        <source>No secure keyring is available. The password is held in memory until the program ends, and is not saved.</source>
        <translation>Es ist kein sicherer Schlüsselbund verfügbar. Das Kennwort bleibt bis zum Programmende im Speicher und wird nicht gesichert.</translation>
    </message>
</context>
<context>
    <name>HubDialogPage</name>
    <message>
        <source>Hub</source>
        <translation>Hub</translation>
    </message>
</context>
<context>
    <name>HubNews</name>
    <message>
        <source>No hub is connected.</source>
        <translation>Es ist kein Hub verbunden.</translation>
    </message>
    <message>
        <source>Nothing new.</source>
        <translation>Nichts Neues.</translation>
    </message>
    <message>
        <source>Sync now</source>
        <translation>Jetzt abgleichen</translation>
    </message>
    <message>
        <source>Connect …</source>
        <translation>Verbinden …</translation>
    </message>
    <message>
        <source>synced {when}</source>
        <translation>abgeglichen {when}</translation>
    </message>
    <message>
        <source>sent back</source>
        <translation>zurückgegeben</translation>
    </message>
    <message>
        <source>Guideline changed in revision {n}</source>
        <translation>Leitfaden in Stand {n} geändert</translation>
    </message>
</context>
<context>
    <name>HubStatePage</name>
    <message>
        <source>Uploads</source>
        <translation>Gesendet</translation>
    </message>
    <message>
        <source>Downloads</source>
        <translation>Empfangen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Einlesen</translation>
    </message>
    <message>
        <source>Sign in again …</source>
        <translation>Neu anmelden …</translation>
    </message>
    <message>
        <source>Change hub …</source>
        <translation>Hub wechseln …</translation>
    </message>
    <message>
        <source>Disconnect …</source>
        <translation>Trennen …</translation>
    </message>
    <message>
        <source>Import unsigned …</source>
        <translation>Ohne Unterschrift einlesen …</translation>
    </message>
    <message>
        <source>Trust the new key …</source>
        <translation>Neuem Schlüssel vertrauen …</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Sync now</source>
        <translation>Jetzt abgleichen</translation>
    </message>
    <message>
        <source>Import {title} although the lead has not signed it?</source>
        <translation>{title} ohne Unterschrift der Prüfleitung einlesen?</translation>
    </message>
    <message>
        <source>Trust the lead&apos;s new key?</source>
        <translation>Dem neuen Schlüssel der Prüfleitung vertrauen?</translation>
    </message>
    <message>
        <source>Disconnect from {title}?</source>
        <translation>Von {title} trennen?</translation>
    </message>
    <message>
        <source>{address}, as {user}</source>
        <translation>{address}, als {user}</translation>
    </message>
    <message>
        <source>The hub did not answer.</source>
        <translation>Der Hub hat nicht geantwortet.</translation>
    </message>
    <message>
        <source>All uploads are verified.</source>
        <translation>Alles Gesendete ist auf dem Hub geprüft.</translation>
    </message>
    <message>
        <source>Nothing sent yet. Results are sent when every task of a bundle is finished.</source>
        <translation>Noch nichts gesendet. Ergebnisse werden gesendet, wenn alle Aufgaben eines Bündels fertig sind.</translation>
    </message>
    <message>
        <source>Everyone who can write to the hub can have put it there. Ask the lead first.</source>
        <translation>Es kann von allen stammen, die auf den Hub schreiben dürfen. Fragen Sie zuerst die Prüfleitung.</translation>
    </message>
    <message>
        <source>The hub names {named}. Until now you trusted {key}. Compare the new key with the lead&apos;s, for example by telephone. From then on only what is signed with the new key counts as the lead&apos;s.</source>
        <translation>Der Hub nennt {named}. Bisher haben Sie {key} vertraut. Vergleichen Sie den neuen Schlüssel mit dem der Prüfleitung, etwa am Telefon. Danach gilt nur als von ihr, was mit dem neuen Schlüssel unterschrieben ist.</translation>
    </message>
    <message>
        <source>Your ratings stay on this computer, and files on the hub stay there. Nothing more will be sent.</source>
        <translation>Ihre Bewertungen bleiben auf diesem Rechner, Dateien auf dem Hub bleiben dort. Gesendet wird nichts mehr.</translation>
    </message>
    <message>
        <source>1 result has not been sent yet. It waits until you connect to this hub again.</source>
        <translation>1 Ergebnis ist noch nicht gesendet. Es wartet, bis Sie sich wieder mit diesem Hub verbinden.</translation>
    </message>
    <message>
        <source>{n} results have not been sent yet. They wait until you connect to this hub again.</source>
        <translation>{n} Ergebnisse sind noch nicht gesendet. Sie warten, bis Sie sich wieder mit diesem Hub verbinden.</translation>
    </message>
    <message>
        <source>Stay connected</source>
        <translation>Verbunden bleiben</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Trust</source>
        <translation>Vertrauen</translation>
    </message>
    <message>
        <source>Cancel the sync</source>
        <translation>Abgleich abbrechen</translation>
    </message>
    <message>
        <source>Disconnect</source>
        <translation>Trennen</translation>
    </message>
</context>
<context>
    <name>HubTrialPage</name>
    <message>
        <source>Functions of the hub</source>
        <translation>Funktionen des Hubs</translation>
    </message>
    <message>
        <source>Available bundles</source>
        <translation>Verfügbare Bündel</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Einlesen</translation>
    </message>
    <message>
        <source>Connected: {title}</source>
        <translation>Verbunden: {title}</translation>
    </message>
    <message>
        <source>This hub can&apos;t be used</source>
        <translation>Dieser Hub ist nicht nutzbar</translation>
    </message>
    <message>
        <source>The hub lacks functions without which results could be lost.</source>
        <translation>Dem Hub fehlen Funktionen, ohne die Ergebnisse verloren gehen könnten.</translation>
    </message>
    <message>
        <source>The hub works. These functions were tested:</source>
        <translation>Der Hub ist nutzbar. Diese Funktionen wurden getestet:</translation>
    </message>
    <message>
        <source>Looking for bundles …</source>
        <translation>Bündel werden gesucht …</translation>
    </message>
    <message>
        <source>There are no bundles for you yet.</source>
        <translation>Für Sie gibt es noch keine Bündel.</translation>
    </message>
</context>
<context>
    <name>ItemList</name>
    <message>
        <source>Places, most disagreement first</source>
        <translation>Stellen, die größte Uneinigkeit zuerst</translation>
    </message>
</context>
<context>
    <name>KeyEditor</name>
    <message>
        <source>Actions and their keys</source>
        <translation>Aktionen und ihre Tasten</translation>
    </message>
    <message>
        <source>New key</source>
        <translation>Neue Taste</translation>
    </message>
    <message>
        <source>Press the new key here</source>
        <translation>Hier die neue Taste drücken</translation>
    </message>
    <message>
        <source>Default key</source>
        <translation>Standardtaste</translation>
    </message>
    <message>
        <source>Reset all keys</source>
        <translation>Alle Tasten zurücksetzen</translation>
    </message>
    <message>
        <source>Key set to {key}.</source>
        <translation>Taste auf {key} gesetzt.</translation>
    </message>
</context>
<context>
    <name>KeySheet</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
</context>
<context>
    <name>Keys</name>
    <message>
        <source>Ctrl</source>
        <translation>Strg</translation>
    </message>
    <message>
        <source>Shift</source>
        <translation>Umschalt</translation>
    </message>
    <message>
        <source>Alt</source>
        <translation>Alt</translation>
    </message>
    <message>
        <source>Meta</source>
        <translation>Meta</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>Leertaste</translation>
    </message>
    <message>
        <source>Backspace</source>
        <translation>Rücktaste</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Entf</translation>
    </message>
    <message>
        <source>PgUp</source>
        <translation>Bild auf</translation>
    </message>
    <message>
        <source>Press one key, with or without {control} and {shift}.</source>
        <translation>Eine Taste drücken, mit oder ohne {control} und {shift}.</translation>
    </message>
    <message>
        <source>{key} can&apos;t be used: {alt} opens menus or types symbols.</source>
        <translation>{key} kann nicht verwendet werden: {alt} öffnet Menüs oder gibt Zeichen ein.</translation>
    </message>
    <message>
        <source>PgDn</source>
        <translation>Bild ab</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>Pos1</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>The key {key} for “{action}” can&apos;t be changed.</source>
        <translation>Die Taste {key} für „{action}“ kann nicht geändert werden.</translation>
    </message>
    <message>
        <source>{key} is reserved for rubric answers.</source>
        <translation>{key} ist für die Antworten eines Fragebogens reserviert.</translation>
    </message>
    <message>
        <source>{key} is used to navigate and edit in lists and fields.</source>
        <translation>{key} dient zum Bewegen und Bearbeiten in Listen und Feldern.</translation>
    </message>
    <message>
        <source>{key} is used to edit text in fields.</source>
        <translation>{key} dient zum Bearbeiten von Text in Feldern.</translation>
    </message>
    <message>
        <source>{key} is reserved for another screen.</source>
        <translation>{key} ist für einen anderen Raum reserviert.</translation>
    </message>
    <message>
        <source>{key} is already the key for “{action}”.</source>
        <translation>{key} ist bereits die Taste für „{action}“.</translation>
    </message>
</context>
<context>
    <name>LabelPanel</name>
    <message>
        <source>Final labels</source>
        <translation>Endgültige Ergebnisse</translation>
    </message>
    <message>
        <source>Final labels where you have not decided</source>
        <translation>Endgültige Ergebnisse, wo Sie nicht entschieden haben</translation>
    </message>
    <message>
        <source>A label less probable than this is left open:</source>
        <translation>Offen bleiben Einstufungen unter dieser Wahrscheinlichkeit:</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Verwenden</translation>
    </message>
    <message>
        <source>Decide 1 place</source>
        <translation>1 Stelle entscheiden</translation>
    </message>
    <message>
        <source>Decide {n} places</source>
        <translation>{n} Stellen entscheiden</translation>
    </message>
    <message>
        <source>In use: {method}. {n} of the {total} shown have a final label, {own} of them by you.</source>
        <translation>Verwendet: {method}. {n} von {total} gezeigten haben ein endgültiges Ergebnis, {own} davon von Ihnen.</translation>
    </message>
    <message>
        <source>Use the method first to decide places by it.</source>
        <translation>Um Stellen danach zu entscheiden, zuerst das Verfahren verwenden.</translation>
    </message>
    <message>
        <source>{n} of the {total} shown can be decided by it in one step (undo: {key}), {rest} stay.</source>
        <translation>{n} von {total} gezeigten lassen sich damit in einem Schritt entscheiden (rückgängig: {key}), {rest} bleiben.</translation>
    </message>
</context>
<context>
    <name>LabelsSection</name>
    <message>
        <source>Labels</source>
        <translation>Einstufungen</translation>
    </message>
    <message>
        <source>Take as</source>
        <translation>Übernehmen als</translation>
    </message>
    <message>
        <source>Suggestion</source>
        <translation>Vorschlag</translation>
    </message>
    <message>
        <source>Gold</source>
        <translation>Musterantwort</translation>
    </message>
    <message>
        <source>Rating</source>
        <translation>Bewertung</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Frage</translation>
    </message>
    <message>
        <source>Raters see the labels as suggestions.</source>
        <translation>Bewertende sehen die Einstufungen als Vorschläge.</translation>
    </message>
    <message>
        <source>Gold speaks on the label only; other questions are not compared with it.</source>
        <translation>Die Musterantwort gilt nur für die Einstufung; andere Fragen werden nicht damit verglichen.</translation>
    </message>
    <message>
        <source>The labels are written to a file of ratings beside the bundle.</source>
        <translation>Die Einstufungen werden als Bewertungen in eine Datei neben dem Bündel geschrieben.</translation>
    </message>
    <message>
        <source>{n} have no answer and are left out.</source>
        <translation>{n} haben keine Antwort und werden ausgelassen.</translation>
    </message>
    <message>
        <source>Answer of {label}</source>
        <translation>Antwort für {label}</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>keine Antwort</translation>
    </message>
</context>
<context>
    <name>LeadHubCommands</name>
    <message>
        <source>Some results could not be collected: {n}.</source>
        <translation>Einige Ergebnisse konnten nicht eingeholt werden: {n}.</translation>
    </message>
    <message>
        <source>Publishing …</source>
        <translation>Wird bereitgestellt …</translation>
    </message>
    <message>
        <source>Publishing: {done} of {total}</source>
        <translation>Wird bereitgestellt: {done} von {total}</translation>
    </message>
    <message>
        <source>Cancelled. Uploaded files stay on the hub. Publish again to continue.</source>
        <translation>Abgebrochen. Bereits Gesendetes bleibt auf dem Hub. Stellen Sie erneut bereit, um fortzufahren.</translation>
    </message>
    <message>
        <source>{bundle}, revision {n}, is on the hub.</source>
        <translation>{bundle}, Stand {n}, ist auf dem Hub.</translation>
    </message>
    <message>
        <source>Newly assigned to: {n}.</source>
        <translation>Neu zugeteilt an: {n}.</translation>
    </message>
    <message>
        <source>Assigned before to: {n}.</source>
        <translation>Schon früher zugeteilt an: {n}.</translation>
    </message>
    <message>
        <source>Its gold was not sent.</source>
        <translation>Seine Musterantworten blieben hier.</translation>
    </message>
    <message>
        <source>It is not signed, since your signing key is not available.</source>
        <translation>Es ist nicht unterschrieben, da Ihr Signierschlüssel nicht verfügbar ist.</translation>
    </message>
    <message>
        <source>The hub names another lead&apos;s key than yours, so raters are asked before an import.</source>
        <translation>Der Hub nennt als Schlüssel der Prüfleitung nicht Ihren; Bewertende werden daher vor dem Einlesen gefragt.</translation>
    </message>
    <message>
        <source>The hub names no lead&apos;s key, so raters can&apos;t verify your signature.</source>
        <translation>Der Hub nennt keinen Schlüssel der Prüfleitung; Bewertende können Ihre Unterschrift daher nicht prüfen.</translation>
    </message>
    <message>
        <source>{n} lines are not valid tasks.</source>
        <translation>{n} Zeilen sind keine gültigen Aufgaben.</translation>
    </message>
    <message>
        <source>{rater} could not be assigned: {why}</source>
        <translation>Die Zuteilung an {rater} ging nicht: {why}</translation>
    </message>
</context>
<context>
    <name>LeftOffCard</name>
    <message>
        <source>Pick a task</source>
        <translation>Aufgabe wählen</translation>
    </message>
    <message>
        <source>{place}: {text}</source>
        <translation>{place}: {text}</translation>
    </message>
    <message>
        <source>Open {bundle}</source>
        <translation>„{bundle}“ öffnen</translation>
    </message>
    <message>
        <source>Continue: {task}</source>
        <translation>Weiter: {task}</translation>
    </message>
    <message>
        <source>Continue: {task}, {place}</source>
        <translation>Weiter: {task}, {place}</translation>
    </message>
</context>
<context>
    <name>LibraryCommands</name>
    <message>
        <source>Search the libraries</source>
        <translation>Die Bibliotheken durchsuchen</translation>
    </message>
    <message>
        <source>Passages in the libraries: {n}</source>
        <translation>Passagen in den Bibliotheken: {n}</translation>
    </message>
    <message>
        <source>Add a folder as a library</source>
        <translation>Ordner als Bibliothek hinzufügen</translation>
    </message>
    <message>
        <source>Documents and archives (*.zim *.warc *.warc.gz *.wacz *.jsonl *.epub *.pdf);;All files (*)</source>
        <translation>Dokumente und Archive (*.zim *.warc *.warc.gz *.wacz *.jsonl *.epub *.pdf);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Add a library</source>
        <translation>Bibliothek hinzufügen</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Day of its content, such as 2026-03-01</source>
        <translation>Tag des Inhalts, etwa 2026-03-01</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <source>Where it was published, such as a web address</source>
        <translation>Wo sie veröffentlicht wurde, etwa eine Webadresse</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Give it a name that no other library has.</source>
        <translation>Geben Sie ihr einen Namen, den keine andere Bibliothek hat.</translation>
    </message>
    <message>
        <source>The day is not of the form 2026-03-01.</source>
        <translation>Der Tag hat nicht die Form 2026-03-01.</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>{library} is being indexed: {n} documents so far. Stopped, it goes on at the next start.</source>
        <translation>{library} wird indexiert: bisher {n} Dokumente. Angehalten geht es beim nächsten Start weiter.</translation>
    </message>
    <message>
        <source>{library} can be searched now.</source>
        <translation>{library} kann jetzt durchsucht werden.</translation>
    </message>
    <message>
        <source>Remove which library? Its index is deleted; the files that it was made of stay.</source>
        <translation>Welche Bibliothek entfernen? Ihr Index wird gelöscht; die Dateien, aus denen sie besteht, bleiben.</translation>
    </message>
    <message>
        <source>There is no library on this computer.</source>
        <translation>Auf diesem Computer ist keine Bibliothek.</translation>
    </message>
</context>
<context>
    <name>LibrarySearch</name>
    <message>
        <source>differs: {value} / {other}</source>
        <translation>anders: {value} / {other}</translation>
    </message>
    <message>
        <source>not in this passage: {values}</source>
        <translation>nicht in dieser Passage: {values}</translation>
    </message>
    <message>
        <source>Libraries</source>
        <translation>Bibliotheken</translation>
    </message>
    <message>
        <source>Search the libraries</source>
        <translation>Die Bibliotheken durchsuchen</translation>
    </message>
    <message>
        <source>Words to search for, exact words in quotation marks</source>
        <translation>Suchwörter, genaue Wörter in Anführungszeichen</translation>
    </message>
    <message>
        <source>Libraries to search</source>
        <translation>Bibliotheken, die durchsucht werden</translation>
    </message>
    <message>
        <source>Passages of the libraries</source>
        <translation>Passagen der Bibliotheken</translation>
    </message>
    <message>
        <source>{library}, not signed</source>
        <translation>{library}, nicht signiert</translation>
    </message>
    <message>
        <source>It is not indexed yet.</source>
        <translation>Sie ist noch nicht indexiert.</translation>
    </message>
    <message>
        <source>Nothing found in {libraries}.</source>
        <translation>Nichts gefunden in {libraries}.</translation>
    </message>
    <message>
        <source>The claim is about {day}; {library} ends on {end}.</source>
        <translation>Die Aussage betrifft {day}; {library} endet am {end}.</translation>
    </message>
    <message>
        <source>No library can be searched. Add or switch on one.</source>
        <translation>Es kann keine Bibliothek durchsucht werden. Fügen Sie eine hinzu, oder schalten Sie eine ein.</translation>
    </message>
    <message>
        <source>{n} passages in 1 document</source>
        <translation>{n} Passagen in 1 Dokument</translation>
    </message>
    <message>
        <source>1 passage</source>
        <translation>1 Passage</translation>
    </message>
    <message>
        <source>{n} passages in {m} documents, best first</source>
        <translation>{n} Passagen in {m} Dokumenten, die besten zuerst</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Nichts gefunden</translation>
    </message>
    <message>
        <source>Nothing was taken: you are at another place by now.</source>
        <translation>Es wurde nichts übernommen: Sie sind inzwischen an einer anderen Stelle.</translation>
    </message>
    <message>
        <source>The document has the passage in other words. Select what it says.</source>
        <translation>Das Dokument hat die Passage in anderen Worten. Wählen Sie sie dort aus.</translation>
    </message>
    <message>
        <source>There is no passage.</source>
        <translation>Es gibt keine Passage.</translation>
    </message>
    <message>
        <source>The document has no text.</source>
        <translation>Das Dokument hat keinen Text.</translation>
    </message>
</context>
<context>
    <name>LinkList</name>
    <message>
        <source>Links of this task</source>
        <translation>Links dieser Aufgabe</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>Links</translation>
    </message>
    <message>
        <source>Next unopened</source>
        <translation>Nächster ungeöffneter</translation>
    </message>
    <message>
        <source>{n} of {total} opened</source>
        <translation>{n} von {total} geöffnet</translation>
    </message>
    <message>
        <source>no links to open</source>
        <translation>keine Links zu öffnen</translation>
    </message>
    <message>
        <source>dead</source>
        <translation>tot</translation>
    </message>
    <message>
        <source>no valid address</source>
        <translation>keine gültige Adresse</translation>
    </message>
    <message>
        <source>placeholder</source>
        <translation>Platzhalter</translation>
    </message>
    <message>
        <source>same as line {n}</source>
        <translation>wie Zeile {n}</translation>
    </message>
    <message>
        <source>not taken yet</source>
        <translation>noch kein Beleg</translation>
    </message>
    <message>
        <source>both sides</source>
        <translation>beide Seiten</translation>
    </message>
    <message>
        <source>does not decide</source>
        <translation>entscheidet nicht</translation>
    </message>
    <message>
        <source>supports</source>
        <translation>stützt</translation>
    </message>
    <message>
        <source>contradicts</source>
        <translation>widerspricht</translation>
    </message>
    <message>
        <source>taken</source>
        <translation>Beleg</translation>
    </message>
    <message>
        <source>taken elsewhere</source>
        <translation>Beleg anderswo</translation>
    </message>
    <message>
        <source>sign-in</source>
        <translation>Anmeldung</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>nicht gefunden</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>verweigert</translation>
    </message>
    <message>
        <source>server error</source>
        <translation>Serverfehler</translation>
    </message>
    <message>
        <source>blocked</source>
        <translation>gesperrt</translation>
    </message>
    <message>
        <source>too large</source>
        <translation>zu groß</translation>
    </message>
    <message>
        <source>not a text</source>
        <translation>kein Text</translation>
    </message>
    <message>
        <source>unreachable</source>
        <translation>nicht erreichbar</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>keine Antwort</translation>
    </message>
    <message>
        <source>unreadable</source>
        <translation>nicht lesbar</translation>
    </message>
    <message>
        <source>in the response</source>
        <translation>in der Antwort</translation>
    </message>
    <message>
        <source>in the tool output</source>
        <translation>in der Werkzeugausgabe</translation>
    </message>
    <message>
        <source>cited by the response</source>
        <translation>von der Antwort zitiert</translation>
    </message>
    <message>
        <source>cited by {name}</source>
        <translation>von {name} zitiert</translation>
    </message>
    <message>
        <source>in response {name}</source>
        <translation>in Antwort {name}</translation>
    </message>
    <message>
        <source>in the tools of {name}</source>
        <translation>in den Werkzeugen von {name}</translation>
    </message>
</context>
<context>
    <name>LinkPrefetch</name>
    <message>
        <source>Links are already being fetched.</source>
        <translation>Links werden bereits abgerufen.</translation>
    </message>
    <message>
        <source>Every link is stored already.</source>
        <translation>Jeder Link ist schon in der Ablage.</translation>
    </message>
    <message>
        <source>There are no links to fetch.</source>
        <translation>Es sind keine Links abzurufen.</translation>
    </message>
    <message>
        <source>Fetching links: {n} of {total}</source>
        <translation>Links werden abgerufen: {n} von {total}</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>1 page is stored.</source>
        <translation>1 Seite kam in die Ablage.</translation>
    </message>
    <message>
        <source>{n} pages are stored.</source>
        <translation>{n} Seiten kamen in die Ablage.</translation>
    </message>
    <message>
        <source>1 link has no readable page.</source>
        <translation>1 Link führt zu keiner lesbaren Seite.</translation>
    </message>
    <message>
        <source>{n} links have no readable page.</source>
        <translation>{n} Links führen zu keiner lesbaren Seite.</translation>
    </message>
</context>
<context>
    <name>LinkRowList</name>
    <message>
        <source>not opened</source>
        <translation>nicht geöffnet</translation>
    </message>
    <message>
        <source>opened</source>
        <translation>geöffnet</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>counted, not opened</source>
        <translation>gezählt, nicht geöffnet</translation>
    </message>
</context>
<context>
    <name>LinkVerdict</name>
    <message>
        <source>Matches</source>
        <translation>Passt</translation>
    </message>
    <message>
        <source>Differs</source>
        <translation>Weicht ab</translation>
    </message>
    <message>
        <source>Dead</source>
        <translation>Tot</translation>
    </message>
    <message>
        <source>Sign-in</source>
        <translation>Nur angemeldet</translation>
    </message>
</context>
<context>
    <name>LinkVerdictBar</name>
    <message>
        <source>This link</source>
        <translation>Dieser Link</translation>
    </message>
    <message>
        <source>The page is still loading. Judge the link once it is shown.</source>
        <translation>Die Seite wird noch geladen. Beurteilen Sie den Link, wenn sie angezeigt wird.</translation>
    </message>
    <message>
        <source>No link of the task is shown.</source>
        <translation>Es wird kein Link der Aufgabe angezeigt.</translation>
    </message>
</context>
<context>
    <name>LiveAvailable</name>
    <message>
        <source>This installation has no browser engine (Qt WebEngine).</source>
        <translation>Diese Installation hat keine Browser-Engine (Qt WebEngine).</translation>
    </message>
    <message>
        <source>The add-on in {folder} can&apos;t be read: {why}</source>
        <translation>Die Erweiterung in {folder} kann nicht gelesen werden: {why}</translation>
    </message>
    <message>
        <source>The add-on in {folder} is for Qt {qt} on {system}; this program needs one for Qt {own_qt} on {own_system}.</source>
        <translation>Die Erweiterung in {folder} ist für Qt {qt} auf {system}; dieses Programm braucht eine für Qt {own_qt} auf {own_system}.</translation>
    </message>
    <message>
        <source>The add-on in {folder} is damaged: {file} is missing, incomplete or not executable. Unpack the add-on again.</source>
        <translation>Die Erweiterung in {folder} ist beschädigt: {file} fehlt, ist unvollständig oder nicht ausführbar. Entpacken Sie die Erweiterung erneut.</translation>
    </message>
    <message>
        <source>The program runs as root, where the browser engine cannot sandbox pages. Start it as an ordinary user.</source>
        <translation>Das Programm läuft als root; dann kann die Browser-Engine Seiten nicht abschotten. Starten Sie es als gewöhnlicher Benutzer.</translation>
    </message>
    <message>
        <source>The environment sets {names}, which disables the sandbox for pages. Start the program without it.</source>
        <translation>Die Umgebung setzt {names}, womit Seiten nicht abgeschottet wären. Starten Sie das Programm ohne diese Einstellung.</translation>
    </message>
</context>
<context>
    <name>LiveBar</name>
    <message>
        <source>Stop loading</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>JavaScript is on for this site</source>
        <translation>JavaScript hier an</translation>
    </message>
    <message>
        <source>JavaScript is off</source>
        <translation>JavaScript aus</translation>
    </message>
    <message>
        <source>Switch off</source>
        <translation>Ausschalten</translation>
    </message>
    <message>
        <source>Switch on</source>
        <translation>Einschalten</translation>
    </message>
    <message>
        <source>Switch JavaScript off</source>
        <translation>JavaScript ausschalten</translation>
    </message>
    <message>
        <source>Switch JavaScript on</source>
        <translation>JavaScript einschalten</translation>
    </message>
    <message>
        <source>Stop loading {host}</source>
        <translation>Laden von {host} abbrechen</translation>
    </message>
</context>
<context>
    <name>LiveView</name>
    <message>
        <source>The live view has lost its connection to the network. Start the program again to use the live view.</source>
        <translation>Die Netzverbindung dieser Ansicht ist ausgefallen. Starten Sie das Programm neu, um sie wieder zu verwenden.</translation>
    </message>
    <message>
        <source>The browser engine can&apos;t be loaded: {why}.</source>
        <translation>Die Browser-Engine kann nicht geladen werden: {why}.</translation>
    </message>
    <message>
        <source>The live view is not available here. {why} The reader shows the text of the page.</source>
        <translation>Die Live-Ansicht gibt es hier nicht. {why} Die Leseansicht zeigt den Text der Seite.</translation>
    </message>
    <message>
        <source>Live page</source>
        <translation>Live-Seite</translation>
    </message>
    <message>
        <source>There is nothing to see on this page yet, so the link does not count as opened.</source>
        <translation>Auf dieser Seite ist noch nichts zu sehen, deshalb zählt der Link nicht als geöffnet.</translation>
    </message>
    <message>
        <source>{host} does not respond.</source>
        <translation>{host} antwortet nicht.</translation>
    </message>
    <message>
        <source>{host} answered with {code}.</source>
        <translation>{host} hat mit {code} geantwortet.</translation>
    </message>
    <message>
        <source>Show in the reader</source>
        <translation>In der Leseansicht zeigen</translation>
    </message>
    <message>
        <source>The page has crashed. Your answers are not affected.</source>
        <translation>Die Seite ist abgestürzt. Ihre Antworten sind davon nicht betroffen.</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>Neu laden</translation>
    </message>
    <message>
        <source>{host} has no valid certificate and is not shown: {why}</source>
        <translation>{host} hat kein gültiges Zertifikat und wird nicht gezeigt: {why}</translation>
    </message>
    <message>
        <source>{host} offers a file, which this viewer does not download. The reader shows PDFs.</source>
        <translation>{host} bietet eine Datei an, die hier nicht heruntergeladen wird. PDFs zeigt die Leseansicht.</translation>
    </message>
    <message>
        <source>{host} requires signing in, which this viewer does not support. Use the system&apos;s browser.</source>
        <translation>{host} verlangt eine Anmeldung, die diese Ansicht nicht unterstützt. Verwenden Sie den Browser des Systems.</translation>
    </message>
</context>
<context>
    <name>LiveWords</name>
    <message>
        <source>request</source>
        <translation>Abruf</translation>
    </message>
    <message>
        <source>navigation</source>
        <translation>Seitenwechsel</translation>
    </message>
    <message>
        <source>new window</source>
        <translation>neues Fenster</translation>
    </message>
    <message>
        <source>download</source>
        <translation>Download</translation>
    </message>
    <message>
        <source>camera, location, notifications and the like</source>
        <translation>Kamera, Standort, Mitteilungen und Ähnliches</translation>
    </message>
    <message>
        <source>bad certificate</source>
        <translation>schlechtes Zertifikat</translation>
    </message>
    <message>
        <source>sign-in</source>
        <translation>Anmeldung</translation>
    </message>
    <message>
        <source>dialog</source>
        <translation>Dialog</translation>
    </message>
    <message>
        <source>file</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>protocol handler</source>
        <translation>Protokoll-Handler</translation>
    </message>
    <message>
        <source>full screen</source>
        <translation>Vollbild</translation>
    </message>
    <message>
        <source>recording the screen</source>
        <translation>Aufnahme des Bildschirms</translation>
    </message>
    <message>
        <source>security key</source>
        <translation>Sicherheitsschlüssel</translation>
    </message>
    <message>
        <source>printing</source>
        <translation>Drucken</translation>
    </message>
    <message>
        <source>1 thing refused</source>
        <translation>1 abgewiesen</translation>
    </message>
    <message>
        <source>{count} things refused</source>
        <translation>{count} abgewiesen</translation>
    </message>
</context>
<context>
    <name>LongScaleQuestion</name>
    <message>
        <source>{level} up to {n}</source>
        <translation>{level} bis {n}</translation>
    </message>
</context>
<context>
    <name>Losses</name>
    <message>
        <source>files without records</source>
        <translation>Dateien ohne Datensätze</translation>
    </message>
    <message>
        <source>records that can’t be read</source>
        <translation>unlesbare Datensätze</translation>
    </message>
    <message>
        <source>annotations without a rater</source>
        <translation>Annotationen ohne Person</translation>
    </message>
    <message>
        <source>annotations without a task</source>
        <translation>Annotationen ohne Aufgabe</translation>
    </message>
    <message>
        <source>annotations of other tasks</source>
        <translation>Annotationen anderer Aufgaben</translation>
    </message>
    <message>
        <source>answers to unknown questions</source>
        <translation>Antworten auf unbekannte Fragen</translation>
    </message>
    <message>
        <source>labels that answer no question</source>
        <translation>Einstufungen, die keine Frage beantworten</translation>
    </message>
    <message>
        <source>answers about unknown places</source>
        <translation>Antworten zu unbekannten Stellen</translation>
    </message>
    <message>
        <source>answers that are not offered</source>
        <translation>nicht angebotene Antworten</translation>
    </message>
    <message>
        <source>answers to questions that are not asked there</source>
        <translation>Antworten auf dort nicht gestellte Fragen</translation>
    </message>
    <message>
        <source>repeated answers</source>
        <translation>wiederholte Antworten</translation>
    </message>
    <message>
        <source>responses without a value</source>
        <translation>Antworten ohne Wert</translation>
    </message>
    <message>
        <source>columns that belong to raters</source>
        <translation>Spalten, die zu Bewertenden gehören</translation>
    </message>
    <message>
        <source>predictions of models</source>
        <translation>Vorhersagen von Modellen</translation>
    </message>
    <message>
        <source>relations between spans</source>
        <translation>Beziehungen zwischen Textstellen</translation>
    </message>
    <message>
        <source>results of other kinds</source>
        <translation>Ergebnisse anderer Art</translation>
    </message>
    <message>
        <source>times that can’t be read</source>
        <translation>unlesbare Zeiten</translation>
    </message>
    <message>
        <source>numbers that can’t be read</source>
        <translation>unlesbare Zahlen</translation>
    </message>
    <message>
        <source>annotations without an answer</source>
        <translation>Annotationen ohne Antwort</translation>
    </message>
    <message>
        <source>Imported: {ratings} ratings of {raters} raters.</source>
        <translation>Importiert: {ratings} Bewertungen von {raters} Bewertenden.</translation>
    </message>
    <message>
        <source>Not taken: {list}.</source>
        <translation>Nicht übernommen: {list}.</translation>
    </message>
    <message>
        <source>Raters whose ratings break a rule: {n}.</source>
        <translation>Bewertende, deren Bewertungen eine Regel verletzen: {n}.</translation>
    </message>
    <message>
        <source>Copy the details</source>
        <translation>Einzelheiten kopieren</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Desktop Rater</source>
        <translation>Desktop Rater</translation>
    </message>
    <message>
        <source>Not closed: the latest answers of {tasks} are not saved yet. Saving is retried every {n} s.</source>
        <translation>Nicht geschlossen: Die letzten Antworten von {tasks} sind noch nicht gespeichert. Das Speichern wird alle {n} s erneut versucht.</translation>
    </message>
    <message>
        <source>Save now and close</source>
        <translation>Jetzt speichern und schließen</translation>
    </message>
    <message>
        <source>Close without saving</source>
        <translation>Ohne Speichern schließen</translation>
    </message>
    <message>
        <source>{name} can’t be opened. The plug-in “convert”, which reads files of records, is not installed.</source>
        <translation>{name} kann nicht geöffnet werden. Das Plug-in „convert“, das Dateien mit Datensätzen liest, ist nicht installiert.</translation>
    </message>
</context>
<context>
    <name>ManualWindow</name>
    <message>
        <source>Manual</source>
        <translation>Handbuch</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Search the manual</source>
        <translation>Handbuch durchsuchen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <source>1 section</source>
        <translation>1 Abschnitt</translation>
    </message>
    <message>
        <source>{n} sections</source>
        <translation>{n} Abschnitte</translation>
    </message>
    <message>
        <source>Not in the manual</source>
        <translation>Nicht im Handbuch</translation>
    </message>
</context>
<context>
    <name>MapEditor</name>
    <message>
        <source>Nothing is written before the tasks are made.</source>
        <translation>Nichts wird geschrieben, bevor die Aufgaben erstellt werden.</translation>
    </message>
    <message>
        <source>(numbered)</source>
        <translation>(nummeriert)</translation>
    </message>
    <message>
        <source>Open a map</source>
        <translation>Zuordnung öffnen</translation>
    </message>
    <message>
        <source>Maps (*.toml)</source>
        <translation>Zuordnungen (*.toml)</translation>
    </message>
    <message>
        <source>Save the map</source>
        <translation>Zuordnung speichern</translation>
    </message>
    <message>
        <source>The map is not saved: {why}</source>
        <translation>Die Zuordnung wurde nicht gespeichert: {why}</translation>
    </message>
    <message>
        <source>Save the bundle</source>
        <translation>Bündel speichern</translation>
    </message>
    <message>
        <source>Bundles (*.rater *.zip)</source>
        <translation>Bündel (*.rater *.zip)</translation>
    </message>
    <message>
        <source>Making {name} …</source>
        <translation>{name} wird erstellt …</translation>
    </message>
</context>
<context>
    <name>MapPane</name>
    <message>
        <source>Path of {field}</source>
        <translation>Pfad von {field}</translation>
    </message>
    <message>
        <source>Another field</source>
        <translation>Weiteres Feld</translation>
    </message>
    <message>
        <source>Another field …</source>
        <translation>Weiteres Feld …</translation>
    </message>
    <message>
        <source>Map</source>
        <translation>Zuordnung</translation>
    </message>
    <message>
        <source>{n} left, −{lost}</source>
        <translation>noch {n}, −{lost}</translation>
    </message>
    <message>
        <source>in {n}</source>
        <translation>in {n}</translation>
    </message>
</context>
<context>
    <name>MappingCommands</name>
    <message>
        <source>Records (*.jsonl *.json *.csv *.tsv *.parquet *.xlsx *.gz);;All files (*)</source>
        <translation>Datensätze (*.jsonl *.json *.csv *.tsv *.parquet *.xlsx *.gz);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Choose a file of records</source>
        <translation>Datei mit Datensätzen wählen</translation>
    </message>
</context>
<context>
    <name>MappingDialog</name>
    <message>
        <source>Make tasks of a file</source>
        <translation>Aufgaben aus einer Datei</translation>
    </message>
    <message>
        <source>Records left out</source>
        <translation>Ausgelassene Datensätze</translation>
    </message>
    <message>
        <source>Find a key or a value</source>
        <translation>Schlüssel oder Wert suchen</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Previous record</source>
        <translation>Voriger Datensatz</translation>
    </message>
    <message>
        <source>Next record</source>
        <translation>Nächster Datensatz</translation>
    </message>
    <message>
        <source>Map</source>
        <translation>Zuordnung</translation>
    </message>
    <message>
        <source>Rubric</source>
        <translation>Fragebogen</translation>
    </message>
    <message>
        <source>Open a map</source>
        <translation>Zuordnung öffnen</translation>
    </message>
    <message>
        <source>Open a map …</source>
        <translation>Zuordnung öffnen …</translation>
    </message>
    <message>
        <source>From a file …</source>
        <translation>Aus einer Datei …</translation>
    </message>
    <message>
        <source>The task, as the rater sees it</source>
        <translation>Die Aufgabe, wie Bewertende sie sehen</translation>
    </message>
    <message>
        <source>Save the map …</source>
        <translation>Zuordnung speichern …</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Make tasks of {name}</source>
        <translation>Aufgaben aus {name}</translation>
    </message>
    <message>
        <source>Reading {name} …</source>
        <translation>{name} wird gelesen …</translation>
    </message>
    <message>
        <source>Record {n} of {total}</source>
        <translation>Datensatz {n} von {total}</translation>
    </message>
    <message>
        <source>Make the tasks</source>
        <translation>Aufgaben erstellen</translation>
    </message>
    <message>
        <source>Counting …</source>
        <translation>Wird gezählt …</translation>
    </message>
    <message>
        <source>{records} records: {tasks} tasks, {lost} left out</source>
        <translation>{records} Datensätze: {tasks} Aufgaben, {lost} ausgelassen</translation>
    </message>
    <message>
        <source>See what is left out</source>
        <translation>Ausgelassenes zeigen</translation>
    </message>
    <message>
        <source>{targets} targets, {calls} tool calls, {unplaced} texts without a place</source>
        <translation>{targets} Stellen, {calls} Werkzeugaufrufe, {unplaced} Texte ohne Platz</translation>
    </message>
    <message>
        <source>Make {n} tasks</source>
        <translation>{n} Aufgaben erstellen</translation>
    </message>
    <message>
        <source>{name} is also a map for the command line.</source>
        <translation>{name} ist auch eine Zuordnung für die Befehlszeile.</translation>
    </message>
    <message>
        <source>Choose a field of the map first: the value is taken for the field that was edited last.</source>
        <translation>Wählen Sie zuerst ein Feld der Zuordnung: Der Wert gilt für das zuletzt bearbeitete Feld.</translation>
    </message>
    <message>
        <source>The map is not saved. Cancel again to close without it.</source>
        <translation>Die Zuordnung ist nicht gespeichert. Noch einmal „Abbrechen“ schließt ohne sie.</translation>
    </message>
</context>
<context>
    <name>Menus</name>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alles auswählen</translation>
    </message>
</context>
<context>
    <name>ModelPanel</name>
    <message>
        <source>Score by the language model</source>
        <translation>Vom Sprachmodell werten lassen</translation>
    </message>
    <message>
        <source>Your points</source>
        <translation>Ihre Punkte</translation>
    </message>
    <message>
        <source>Points that the model finds</source>
        <translation>Punkte, die das Modell findet</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>Cancel the run</source>
        <translation>Lauf abbrechen</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>{done} of {total} questions answered. Answers are saved if you cancel.</source>
        <translation>{done} von {total} Fragen beantwortet. Antworten bleiben beim Abbrechen gespeichert.</translation>
    </message>
    <message>
        <source>Running. Answers are saved if you cancel.</source>
        <translation>Der Lauf hat begonnen. Antworten bleiben beim Abbrechen gespeichert.</translation>
    </message>
    <message>
        <source>Estimating the cost. Nothing is sent.</source>
        <translation>Die Kosten werden geschätzt. Nichts wird gesendet.</translation>
    </message>
    <message>
        <source>The texts are sent to the model {model} at {host}, without their authors’ names. The model judges for each text and point whether they agree; the score is computed on this computer. Nothing is sent before you agree.</source>
        <translation>Die Texte gehen an das Modell {model} bei {host}, ohne die Namen der Verfassenden. Das Modell beurteilt für jeden Text und jeden Punkt, ob sie übereinstimmen; die Wertung wird auf diesem Computer berechnet. Nichts wird gesendet, bevor Sie zustimmen.</translation>
    </message>
    <message>
        <source>Everything has been answered already, so this costs nothing.</source>
        <translation>Alles ist bereits beantwortet; es entstehen keine Kosten.</translation>
    </message>
    <message>
        <source>At most {calls} calls, about {into} input and {out} output tokens.</source>
        <translation>Höchstens {calls} Aufrufe, etwa {into} Eingabe- und {out} Ausgabe-Token.</translation>
    </message>
    <message>
        <source>{n} more have been answered already.</source>
        <translation>{n} weitere sind bereits beantwortet.</translation>
    </message>
    <message>
        <source>About {money} at the prices in the settings.</source>
        <translation>Etwa {money} nach den Preisen in den Einstellungen.</translation>
    </message>
    <message>
        <source>No prices are set, so the cost in money is unknown.</source>
        <translation>Es sind keine Preise eingestellt; die Kosten in Geld sind daher unbekannt.</translation>
    </message>
</context>
<context>
    <name>ModelSplitCommands</name>
    <message>
        <source>Claims can&apos;t be recorded here.</source>
        <translation>Hier lassen sich keine Aussagen festhalten.</translation>
    </message>
    <message>
        <source>This target has claims already. A model only splits a target without any.</source>
        <translation>Diese Stelle hat schon Aussagen. Ein Modell teilt nur Stellen ohne Aussagen auf.</translation>
    </message>
    <message>
        <source>The target and its response are sent to {host}.</source>
        <translation>Die Stelle und ihre Antwort werden an {host} gesendet.</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Jetzt nicht</translation>
    </message>
    <message>
        <source>The model {model} is asked for a split.</source>
        <translation>Das Modell {model} wird um eine Aufteilung gebeten.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Proposed claims that could not be used: {n}.</source>
        <translation>Vorgeschlagene Aussagen, die nicht verwendbar waren: {n}.</translation>
    </message>
    <message>
        <source>The model proposes no split.</source>
        <translation>Das Modell schlägt keine Aufteilung vor.</translation>
    </message>
    <message>
        <source>The target was changed meanwhile, so the model’s split was dropped.</source>
        <translation>Die Stelle wurde inzwischen geändert; die Aufteilung des Modells wurde verworfen.</translation>
    </message>
    <message>
        <source>The model proposes {n} claims. Confirm, change or remove them.</source>
        <translation>Das Modell schlägt {n} Aussagen vor. Bestätigen, ändern oder entfernen Sie sie.</translation>
    </message>
    <message>
        <source>The model proposes {n} claims for another target of this task.</source>
        <translation>Das Modell schlägt {n} Aussagen zu einer anderen Stelle dieser Aufgabe vor.</translation>
    </message>
</context>
<context>
    <name>NumberField</name>
    <message>
        <source>Less</source>
        <translation>Weniger</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
</context>
<context>
    <name>NumberQuestion</name>
    <message>
        <source>Suggested: {text}</source>
        <translation>Vorschlag: {text}</translation>
    </message>
    <message>
        <source>{low} to {high}</source>
        <translation>{low} bis {high}</translation>
    </message>
    <message>
        <source>A number</source>
        <translation>Eine Zahl</translation>
    </message>
    <message>
        <source>This number is not a valid answer.</source>
        <translation>Diese Zahl ist keine gültige Antwort.</translation>
    </message>
</context>
<context>
    <name>OfferList</name>
    <message>
        <source>Used before</source>
        <translation>Früher verwendet</translation>
    </message>
    <message>
        <source>Tab takes the first</source>
        <translation>Tab nimmt das erste</translation>
    </message>
</context>
<context>
    <name>OpeningNotice</name>
    <message>
        <source>Opening {task} …</source>
        <translation>{task} wird geöffnet …</translation>
    </message>
</context>
<context>
    <name>OutputCommands</name>
    <message>
        <source>The task is copied as text.</source>
        <translation>Die Aufgabe ist als Text kopiert.</translation>
    </message>
    <message>
        <source>Select a target first.</source>
        <translation>Wählen Sie zuerst eine Stelle.</translation>
    </message>
    <message>
        <source>The target is copied with its rating.</source>
        <translation>Die Stelle ist mit ihrer Bewertung kopiert.</translation>
    </message>
</context>
<context>
    <name>OwnRatingForm</name>
    <message>
        <source>Your own rating</source>
        <translation>Ihre eigene Bewertung</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Answer first. The raters’ answers are shown when you are done.</source>
        <translation>Antworten Sie zuerst. Die Antworten der Bewertenden sehen Sie, wenn Sie fertig sind.</translation>
    </message>
    <message>
        <source>Your own rating of {task}.</source>
        <translation>Ihre eigene Bewertung von {task}.</translation>
    </message>
    <message>
        <source>Your correction, based on the rating by {rater}. The same rules apply.</source>
        <translation>Ihre Berichtigung, ausgehend von der Bewertung von {rater}. Es gelten dieselben Regeln.</translation>
    </message>
</context>
<context>
    <name>PageBrowser</name>
    <message>
        <source>This is not a valid web address.</source>
        <translation>Das ist keine gültige Webadresse.</translation>
    </message>
</context>
<context>
    <name>PageErrorView</name>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Count as opened</source>
        <translation>Als geöffnet zählen</translation>
    </message>
    <message>
        <source>Open in the browser…</source>
        <translation>Im Browser öffnen …</translation>
    </message>
    <message>
        <source>Show the live page</source>
        <translation>Live-Seite zeigen</translation>
    </message>
    <message>
        <source>Show the copy of {time}</source>
        <translation>Kopie vom {time} zeigen</translation>
    </message>
    <message>
        <source>The link counts as opened: its page was shown before.</source>
        <translation>Der Link zählt als geöffnet: Seine Seite wurde schon angezeigt.</translation>
    </message>
    <message>
        <source>The link counts as opened: this is what the site answers.</source>
        <translation>Der Link zählt als geöffnet: Das antwortet die Website.</translation>
    </message>
    <message>
        <source>You count the link as opened. The results say that it was not.</source>
        <translation>Sie zählen den Link als geöffnet. In den Ergebnissen steht, dass er es nicht war.</translation>
    </message>
    <message>
        <source>The link does not count as opened: you have not seen what is there.</source>
        <translation>Der Link zählt nicht als geöffnet: Sie haben nicht gesehen, was da ist.</translation>
    </message>
</context>
<context>
    <name>PagePictureDialog</name>
    <message>
        <source>Picture of the page: {title}</source>
        <translation>Bild der Seite: {title}</translation>
    </message>
    <message>
        <source>What could be seen on the screen when the page was stored.</source>
        <translation>Das war auf dem Bildschirm zu sehen, als die Seite abgelegt wurde.</translation>
    </message>
    <message>
        <source>No picture is stored with this page, or none that can be shown.</source>
        <translation>Zu dieser Seite ist kein Bild abgelegt, oder keines, das sich zeigen lässt.</translation>
    </message>
</context>
<context>
    <name>PageState</name>
    <message>
        <source>There is no text on this page</source>
        <translation>Auf dieser Seite steht kein Text</translation>
    </message>
    <message>
        <source>Its content consists of images, or is created by scripts, which do not run here.</source>
        <translation>Ihr Inhalt besteht aus Bildern oder wird von Skripten erzeugt, die hier nicht laufen.</translation>
    </message>
    <message>
        <source>This page requires signing in or paying</source>
        <translation>Diese Seite verlangt eine Anmeldung oder Bezahlung</translation>
    </message>
    <message>
        <source>{host} shows it to registered readers only.</source>
        <translation>{host} zeigt sie nur angemeldeten Leserinnen und Lesern.</translation>
    </message>
    <message>
        <source>There is no such page</source>
        <translation>Diese Seite gibt es nicht</translation>
    </message>
    <message>
        <source>{host} has no page at this address.</source>
        <translation>{host} hat unter dieser Adresse keine Seite.</translation>
    </message>
    <message>
        <source>Access to this page was refused</source>
        <translation>Der Zugriff auf diese Seite wurde verweigert</translation>
    </message>
    <message>
        <source>{host} refuses automated access, as some sites do.</source>
        <translation>{host} verweigert automatische Zugriffe, wie es manche Websites tun.</translation>
    </message>
    <message>
        <source>The site has a server error</source>
        <translation>Die Website meldet einen Serverfehler</translation>
    </message>
    <message>
        <source>{host} could not deliver this page.</source>
        <translation>{host} konnte diese Seite nicht liefern.</translation>
    </message>
    <message>
        <source>This address is not opened here</source>
        <translation>Diese Adresse wird hier nicht geöffnet</translation>
    </message>
    <message>
        <source>It is not a public page on the web.</source>
        <translation>Sie führt zu keiner öffentlichen Webseite.</translation>
    </message>
    <message>
        <source>This page is too large to read here</source>
        <translation>Diese Seite ist zu groß, um sie hier zu lesen</translation>
    </message>
    <message>
        <source>Nothing of it is kept.</source>
        <translation>Nichts davon wird aufgehoben.</translation>
    </message>
    <message>
        <source>This is not a text</source>
        <translation>Das ist kein Text</translation>
    </message>
    <message>
        <source>The reader supports web pages, plain text and PDF.</source>
        <translation>Die Leseansicht unterstützt Webseiten, reinen Text und PDF.</translation>
    </message>
    <message>
        <source>{host} cannot be reached</source>
        <translation>{host} ist nicht erreichbar</translation>
    </message>
    <message>
        <source>The host does not exist, or there is no network connection.</source>
        <translation>Den Host gibt es nicht, oder es besteht keine Netzverbindung.</translation>
    </message>
    <message>
        <source>{host} does not answer</source>
        <translation>{host} antwortet nicht</translation>
    </message>
    <message>
        <source>There was no response in time.</source>
        <translation>Es kam nicht rechtzeitig eine Antwort.</translation>
    </message>
    <message>
        <source>This page can&apos;t be read</source>
        <translation>Diese Seite ist nicht lesbar</translation>
    </message>
    <message>
        <source>The content does not match its declared type.</source>
        <translation>Der Inhalt entspricht nicht dem angegebenen Typ.</translation>
    </message>
    <message>
        <source>PDF as text</source>
        <translation>PDF als Text</translation>
    </message>
    <message>
        <source>Plain text</source>
        <translation>Reiner Text</translation>
    </message>
    <message>
        <source>Markdown source</source>
        <translation>Markdown-Quelltext</translation>
    </message>
    <message>
        <source>A table as text</source>
        <translation>Eine Tabelle als Text</translation>
    </message>
    <message>
        <source>Data as text</source>
        <translation>Daten als Text</translation>
    </message>
    <message>
        <source>Fetched here on {time}</source>
        <translation>Hier abgerufen am {time}</translation>
    </message>
    <message>
        <source>Rendered here by the live view on {time}</source>
        <translation>Hier von der Live-Ansicht dargestellt am {time}</translation>
    </message>
    <message>
        <source>From {library}, offline library</source>
        <translation>Aus {library}, Offline-Bibliothek</translation>
    </message>
    <message>
        <source>Came with the bundle {bundle}</source>
        <translation>Kam mit dem Bündel {bundle}</translation>
    </message>
    <message>
        <source>From the results of {rater}, as the rater states</source>
        <translation>Aus den Ergebnissen von {rater}, nach Angabe dieser Person</translation>
    </message>
    <message>
        <source>Stored before origins were recorded</source>
        <translation>Abgelegt, bevor die Herkunft festgehalten wurde</translation>
    </message>
    <message>
        <source>Dated {time}</source>
        <translation>Angegebenes Datum: {time}</translation>
    </message>
    <message>
        <source>Without a date that can be true</source>
        <translation>Ohne glaubhaftes Datum</translation>
    </message>
    <message>
        <source>The file is of another address, on {host}</source>
        <translation>Die Datei gehört zu einer anderen Adresse, auf {host}</translation>
    </message>
    <message>
        <source>As a live view rendered it: its text may come from scripts</source>
        <translation>Wie eine Live-Ansicht sie darstellte: Der Text kann von Skripten stammen</translation>
    </message>
    <message>
        <source>1 character of this quote could not be read</source>
        <translation>1 Zeichen dieses Zitats war nicht lesbar</translation>
    </message>
    <message>
        <source>{n} characters of this quote could not be read</source>
        <translation>{n} Zeichen dieses Zitats waren nicht lesbar</translation>
    </message>
    <message>
        <source>1 character of the page could not be read</source>
        <translation>1 Zeichen der Seite war nicht lesbar</translation>
    </message>
    <message>
        <source>{n} characters of the page could not be read</source>
        <translation>{n} Zeichen der Seite waren nicht lesbar</translation>
    </message>
    <message>
        <source>1 paragraph</source>
        <translation>1 Absatz</translation>
    </message>
    <message>
        <source>{n} paragraphs</source>
        <translation>{n} Absätze</translation>
    </message>
    <message>
        <source>1 list item</source>
        <translation>1 Listenpunkt</translation>
    </message>
    <message>
        <source>{n} list items</source>
        <translation>{n} Listenpunkte</translation>
    </message>
    <message>
        <source>1 table</source>
        <translation>1 Tabelle</translation>
    </message>
    <message>
        <source>{n} tables</source>
        <translation>{n} Tabellen</translation>
    </message>
    <message>
        <source>1 caption</source>
        <translation>1 Bildunterschrift</translation>
    </message>
    <message>
        <source>{n} captions</source>
        <translation>{n} Bildunterschriften</translation>
    </message>
    <message>
        <source>1 struck-out part is not quoted</source>
        <translation>1 durchgestrichene Stelle wird nicht zitiert</translation>
    </message>
    <message>
        <source>{n} struck-out parts are not quoted</source>
        <translation>{n} durchgestrichene Stellen werden nicht zitiert</translation>
    </message>
    <message>
        <source>Left out: {parts}</source>
        <translation>Ausgelassen: {parts}</translation>
    </message>
    <message>
        <source>Offline</source>
        <translation>Offline</translation>
    </message>
    <message>
        <source>Requires signing in or paying: the text may be incomplete</source>
        <translation>Verlangt Anmeldung oder Bezahlung: der Text ist vielleicht unvollständig</translation>
    </message>
    <message>
        <source>{n} pictures are not loaded</source>
        <translation>{n} Bilder sind nicht geladen</translation>
    </message>
    <message>
        <source>1 picture is not loaded</source>
        <translation>1 Bild ist nicht geladen</translation>
    </message>
    <message>
        <source>Redirected to {host}, unencrypted</source>
        <translation>Weitergeleitet zu {host}, unverschlüsselt</translation>
    </message>
    <message>
        <source>Redirected on the same site</source>
        <translation>Auf derselben Website weitergeleitet</translation>
    </message>
    <message>
        <source>Redirected to {host}</source>
        <translation>Weitergeleitet zu {host}</translation>
    </message>
</context>
<context>
    <name>PageStateLine</name>
    <message>
        <source>Picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Whole page</source>
        <translation>Ganze Seite</translation>
    </message>
    <message>
        <source>sha256 {start}…{end}</source>
        <translation>sha256 {start}…{end}</translation>
    </message>
    <message>
        <source>Fetch again</source>
        <translation>Neu abrufen</translation>
    </message>
    <message>
        <source>Show the live page</source>
        <translation>Live-Seite zeigen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Fetching {host}, {n} s</source>
        <translation>{host} wird abgerufen, {n} s</translation>
    </message>
</context>
<context>
    <name>PageWindow</name>
    <message>
        <source>The next page that is opened is shown here. Close this window to put the page back.</source>
        <translation>Hier erscheint die nächste Seite, die geöffnet wird. Wird dieses Fenster geschlossen, steht die Seite wieder im Hauptfenster.</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
</context>
<context>
    <name>PairArrangement</name>
    <message>
        <source>Questions about response {name}</source>
        <translation>Fragen zu Antwort {name}</translation>
    </message>
    <message>
        <source>Questions about both</source>
        <translation>Fragen zu beiden</translation>
    </message>
</context>
<context>
    <name>PaletteSources</name>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Settings …</source>
        <translation>Einstellungen …</translation>
    </message>
    <message>
        <source>current</source>
        <translation>aktuell</translation>
    </message>
    <message>
        <source>Bundles</source>
        <translation>Bündel</translation>
    </message>
    <message>
        <source>Links of this task</source>
        <translation>Links dieser Aufgabe</translation>
    </message>
    <message>
        <source>Guidelines</source>
        <translation>Leitfaden</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>Aufgaben</translation>
    </message>
    <message>
        <source>Stored pages</source>
        <translation>Abgelegte Seiten</translation>
    </message>
</context>
<context>
    <name>Panes</name>
    <message>
        <source>Pane</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>Aufgaben</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Questions</source>
        <translation>Fragen</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
</context>
<context>
    <name>PassPhraseDialog</name>
    <message>
        <source>Signing key</source>
        <translation>Signierschlüssel</translation>
    </message>
    <message>
        <source>Pass phrase</source>
        <translation>Kennsatz</translation>
    </message>
    <message>
        <source>Repeat pass phrase</source>
        <translation>Kennsatz wiederholen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Create the key</source>
        <translation>Schlüssel anlegen</translation>
    </message>
    <message>
        <source>Unlock</source>
        <translation>Entsperren</translation>
    </message>
    <message>
        <source>A new signing key is stored in a file beside the settings. It can&apos;t be used without its pass phrase, and a forgotten pass phrase can&apos;t be recovered: choose at least four words and remember them.</source>
        <translation>Ein neuer Signierschlüssel wird in einer Datei neben den Einstellungen gespeichert. Ohne seinen Kennsatz ist er nicht verwendbar, und ein vergessener Kennsatz lässt sich nicht wiederherstellen: Wählen Sie mindestens vier Wörter und merken Sie sich diese.</translation>
    </message>
    <message>
        <source>Your signing key is in a file. The program remembers its pass phrase until you quit.</source>
        <translation>Ihr Signierschlüssel liegt in einer Datei. Das Programm merkt sich den Kennsatz, bis Sie es schließen.</translation>
    </message>
    <message>
        <source>The pass phrases do not match. Try again.</source>
        <translation>Die Kennsätze stimmen nicht überein. Versuchen Sie es noch einmal.</translation>
    </message>
</context>
<context>
    <name>PassageCommands</name>
    <message>
        <source>Nothing is selected on the page. Select a sentence with the arrow keys.</source>
        <translation>Auf der Seite ist nichts ausgewählt. Wählen Sie einen Satz mit den Pfeiltasten.</translation>
    </message>
    <message>
        <source>This page was already evidence here. Its quote has been replaced with this passage.</source>
        <translation>Diese Seite war hier schon ein Beleg. Ihr Zitat wurde durch diese Passage ersetzt.</translation>
    </message>
    <message>
        <source>The page is still loading. Take the passage once it is shown.</source>
        <translation>Die Seite wird noch geladen. Übernehmen Sie die Stelle, wenn sie angezeigt wird.</translation>
    </message>
    <message>
        <source>No page is shown of which anything could be taken.</source>
        <translation>Es wird keine Seite angezeigt, von der etwas übernommen werden könnte.</translation>
    </message>
    <message>
        <source>Taken from the page as the live view shows it. Its text and a picture are stored.</source>
        <translation>Aus der Seite genommen, wie die Live-Ansicht sie zeigt. Ihr Text und ein Bild sind abgelegt.</translation>
    </message>
    <message>
        <source>Show what is stored</source>
        <translation>Abgelegtes zeigen</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>This page does not have the quoted passage.</source>
        <translation>Auf dieser Seite steht die zitierte Passage nicht.</translation>
    </message>
    <message>
        <source>The page no longer has the quoted passage.</source>
        <translation>Auf der Seite steht die zitierte Passage nicht mehr.</translation>
    </message>
    <message>
        <source>Show the stored page</source>
        <translation>Die abgelegte Seite zeigen</translation>
    </message>
</context>
<context>
    <name>PointList</name>
    <message>
        <source>Points</source>
        <translation>Punkte</translation>
    </message>
</context>
<context>
    <name>PointsPane</name>
    <message>
        <source>Points by topic</source>
        <translation>Punkte nach Thema</translation>
    </message>
    <message>
        <source>No points yet. A point is one statement that a text can agree or disagree with. Use the marked sentence of a gold text (T), or write one (W).</source>
        <translation>Noch keine Punkte. Ein Punkt ist eine einzelne Behauptung, der ein Text zustimmen oder widersprechen kann. Übernehmen Sie den markierten Satz eines Mustertextes (T), oder schreiben Sie einen (W).</translation>
    </message>
    <message>
        <source>The gold texts differ on no point, so AV, AMV, AFV and AFMV give each text 0.5. The report will show RC, the recall of the gold points.</source>
        <translation>Die Mustertexte weichen in keinem Punkt voneinander ab; AV, AMV, AFV und AFMV ergeben daher für jeden Text 0,5. Der Bericht zeigt dann RC, die Trefferquote bei den Musterpunkten.</translation>
    </message>
    <message>
        <source>Write</source>
        <translation>Schreiben</translation>
    </message>
    <message>
        <source>Reword</source>
        <translation>Umformulieren</translation>
    </message>
    <message>
        <source>Topic</source>
        <translation>Thema</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>1 point</source>
        <translation>1 Punkt</translation>
    </message>
    <message>
        <source>{n} points</source>
        <translation>{n} Punkte</translation>
    </message>
    <message>
        <source>1 topic</source>
        <translation>1 Thema</translation>
    </message>
    <message>
        <source>{n} topics</source>
        <translation>{n} Themen</translation>
    </message>
    <message>
        <source>{points}, {topics}</source>
        <translation>{points}, {topics}</translation>
    </message>
    <message>
        <source>Points</source>
        <translation>Punkte</translation>
    </message>
    <message>
        <source>Point: one statement. Enter saves, Esc cancels.</source>
        <translation>Punkt: eine einzelne Behauptung. Enter speichert, Esc bricht ab.</translation>
    </message>
    <message>
        <source>Topic of the point. Enter saves, Esc cancels.</source>
        <translation>Thema des Punkts. Enter speichert, Esc bricht ab.</translation>
    </message>
    <message>
        <source>New wording of the point. Enter saves, Esc cancels.</source>
        <translation>Neue Formulierung des Punkts. Enter speichert, Esc bricht ab.</translation>
    </message>
    <message>
        <source>Answers to this point that will be deleted: {n}.</source>
        <translation>Antworten zu diesem Punkt, die gelöscht werden: {n}.</translation>
    </message>
    <message>
        <source>New topic…</source>
        <translation>Neues Thema …</translation>
    </message>
</context>
<context>
    <name>PracticeFlow</name>
    <message>
        <source>This is a practice bundle: the gold answer appears after you finish each task.</source>
        <translation>Dies ist ein Übungsbündel: Die Musterantwort erscheint, sobald Sie eine Aufgabe abgeschlossen haben.</translation>
    </message>
    <message>
        <source>Nothing can be changed while the gold answer is shown.</source>
        <translation>Solange die Musterantwort gezeigt wird, lässt sich nichts ändern.</translation>
    </message>
</context>
<context>
    <name>PrecedentCommands</name>
    <message>
        <source>As in {task}: {label}</source>
        <translation>Wie in {task}: {label}</translation>
    </message>
    <message>
        <source>1 case like it</source>
        <translation>1 ähnlicher Fall</translation>
    </message>
    <message>
        <source>{n} cases like it</source>
        <translation>{n} ähnliche Fälle</translation>
    </message>
    <message>
        <source>There are no decided cases to show. They are shown after your own answer.</source>
        <translation>Hier gibt es keine entschiedenen Fälle zu zeigen. Sie erscheinen nach der eigenen Antwort.</translation>
    </message>
    <message>
        <source>No earlier answer of yours is offered here.</source>
        <translation>Hier wird keine frühere eigene Antwort angeboten.</translation>
    </message>
</context>
<context>
    <name>Preferences</name>
    <message>
        <source>The settings file can&apos;t be read. It has been renamed to {name}, and the default settings are used.</source>
        <translation>Die Einstellungsdatei kann nicht gelesen werden. Sie wurde in {name} umbenannt; es gelten die Standardeinstellungen.</translation>
    </message>
    <message>
        <source>The settings file can&apos;t be read: {why}. The default settings are used.</source>
        <translation>Die Einstellungsdatei kann nicht gelesen werden: {why}. Es gelten die Standardeinstellungen.</translation>
    </message>
    <message>
        <source>The settings file has invalid values for {names}. The default is used instead.</source>
        <translation>Die Einstellungsdatei enthält ungültige Werte für {names}. Stattdessen gilt der Standardwert.</translation>
    </message>
</context>
<context>
    <name>PreviewCommands</name>
    <message>
        <source>JavaScript is only for the live page. Press R to show it.</source>
        <translation>JavaScript gibt es nur auf der Live-Seite. R zeigt sie.</translation>
    </message>
    <message>
        <source>Every link of this task is opened.</source>
        <translation>Alle Links dieser Aufgabe sind geöffnet.</translation>
    </message>
    <message>
        <source>This task has no links.</source>
        <translation>Diese Aufgabe hat keine Links.</translation>
    </message>
    <message>
        <source>No page is open, and no evidence with an address is selected.</source>
        <translation>Keine Seite ist offen, und kein Beleg mit Adresse ist gewählt.</translation>
    </message>
    <message>
        <source>Open {host} in the system&apos;s browser? The page is loaded again there, outside this program.</source>
        <translation>{host} im Browser des Systems öffnen? Dort wird die Seite neu geladen, außerhalb dieses Programms.</translation>
    </message>
    <message>
        <source>Open in browser</source>
        <translation>Im Browser öffnen</translation>
    </message>
</context>
<context>
    <name>PreviewHead</name>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vor</translation>
    </message>
    <message>
        <source>Close the page</source>
        <translation>Seite schließen</translation>
    </message>
</context>
<context>
    <name>PreviewPane</name>
    <message>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
    <message>
        <source>Nothing was taken: another page was opened meanwhile.</source>
        <translation>Es wurde nichts übernommen: Inzwischen wurde eine andere Seite geöffnet.</translation>
    </message>
    <message>
        <source>Nothing was stored: the live page shows no text, or another page by now.</source>
        <translation>Nichts wurde abgelegt: Die Live-Ansicht zeigt keinen Text oder inzwischen eine andere Seite.</translation>
    </message>
    <message>
        <source>Storing the page as it is shown</source>
        <translation>Die Seite wird abgelegt, wie sie zu sehen ist</translation>
    </message>
    <message>
        <source>No pages yet</source>
        <translation>Noch keine Seiten</translation>
    </message>
</context>
<context>
    <name>ProblemLanguage</name>
    <message>
        <source>The guideline says {said}.</source>
        <translation>Der Leitfaden sagt {said}.</translation>
    </message>
    <message>
        <source>This project&apos;s rule says {said}.</source>
        <translation>Die Regel dieses Projekts sagt {said}.</translation>
    </message>
    <message>
        <source>Not answered: {said}</source>
        <translation>Nicht beantwortet: {said}</translation>
    </message>
    <message>
        <source>{said} is not answered.</source>
        <translation>{said} ist nicht beantwortet.</translation>
    </message>
</context>
<context>
    <name>ProblemSummary</name>
    <message>
        <source>Go there</source>
        <translation>Dorthin</translation>
    </message>
    <message>
        <source>1 problem blocks</source>
        <translation>1 Problem sperrt</translation>
    </message>
    <message>
        <source>{n} problems block</source>
        <translation>{n} Probleme sperren</translation>
    </message>
    <message>
        <source>No problems</source>
        <translation>Kein Problem</translation>
    </message>
    <message>
        <source>1 question open</source>
        <translation>1 Frage offen</translation>
    </message>
    <message>
        <source>{n} questions open</source>
        <translation>{n} Fragen offen</translation>
    </message>
    <message>
        <source>Response {name}</source>
        <translation>Antwort {name}</translation>
    </message>
</context>
<context>
    <name>Problems</name>
    <message>
        <source>Split into claims</source>
        <translation>In Aussagen teilen</translation>
    </message>
    <message>
        <source>Change to {label}</source>
        <translation>In {label} ändern</translation>
    </message>
    <message>
        <source>Reconsider {about}</source>
        <translation>{about} überdenken</translation>
    </message>
    <message>
        <source>Review the evidence</source>
        <translation>Belege prüfen</translation>
    </message>
    <message>
        <source>The page does not decide</source>
        <translation>Die Seite entscheidet nicht</translation>
    </message>
    <message>
        <source>Write the {about}</source>
        <translation>{about} schreiben</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Beantworten</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Write the quote</source>
        <translation>Zitat schreiben</translation>
    </message>
    <message>
        <source>Fix</source>
        <translation>Beheben</translation>
    </message>
    <message>
        <source>Acknowledge…</source>
        <translation>Hinnehmen …</translation>
    </message>
    <message>
        <source>Withdraw</source>
        <translation>Zurücknehmen</translation>
    </message>
    <message>
        <source>{page}: {words}</source>
        <translation>{page}: {words}</translation>
    </message>
    <message>
        <source>Claim {n}: {words}</source>
        <translation>Aussage {n}: {words}</translation>
    </message>
    <message>
        <source>1 problem blocks the export</source>
        <translation>1 Problem sperrt</translation>
    </message>
    <message>
        <source>{n} problems block the export</source>
        <translation>{n} Probleme sperren</translation>
    </message>
    <message>
        <source>1 warning</source>
        <translation>1 Warnung</translation>
    </message>
    <message>
        <source>{n} warnings</source>
        <translation>{n} Warnungen</translation>
    </message>
    <message>
        <source>1 warning acknowledged</source>
        <translation>1 Warnung hingenommen</translation>
    </message>
    <message>
        <source>{n} warnings acknowledged</source>
        <translation>{n} Warnungen hingenommen</translation>
    </message>
</context>
<context>
    <name>ProblemsPane</name>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Next open question</source>
        <translation>Nächste offene Frage</translation>
    </message>
    <message>
        <source>target {names}</source>
        <translation>Stelle {names}</translation>
    </message>
    <message>
        <source>targets {names}</source>
        <translation>Stellen {names}</translation>
    </message>
    <message>
        <source>response {name}</source>
        <translation>Antwort {name}</translation>
    </message>
    <message>
        <source>the whole task</source>
        <translation>die ganze Aufgabe</translation>
    </message>
    <message>
        <source>Blocked: {places}</source>
        <translation>Gesperrt: {places}</translation>
    </message>
    <message>
        <source>Warnings: {places}</source>
        <translation>Warnungen: {places}</translation>
    </message>
    <message>
        <source>1 question open</source>
        <translation>1 Frage offen</translation>
    </message>
    <message>
        <source>{n} questions open</source>
        <translation>{n} Fragen offen</translation>
    </message>
    <message>
        <source>to do</source>
        <translation>zu tun</translation>
    </message>
    <message>
        <source>No problems here</source>
        <translation>Kein Problem hier</translation>
    </message>
    <message>
        <source>Acknowledged: {words}</source>
        <translation>Hingenommen: {words}</translation>
    </message>
    <message>
        <source>acknowledged</source>
        <translation>hingenommen</translation>
    </message>
    <message>
        <source>blocks</source>
        <translation>sperrt</translation>
    </message>
    <message>
        <source>warns</source>
        <translation>warnt</translation>
    </message>
</context>
<context>
    <name>PromptPane</name>
    <message>
        <source>Prompt</source>
        <translation>Anfrage</translation>
    </message>
    <message>
        <source>Show the whole prompt, or its first line</source>
        <translation>Ganze Anfrage oder nur ihre erste Zeile zeigen</translation>
    </message>
    <message>
        <source>Prompt and related texts</source>
        <translation>Anfrage und zugehörige Texte</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>Vorlage</translation>
    </message>
    <message>
        <source>User</source>
        <translation>Mensch</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>KI</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>{role}, turn {n} of {total}</source>
        <translation>{role}, Runde {n} von {total}</translation>
    </message>
    <message>
        <source>The first {n} turns are too long to be shown.</source>
        <translation>Die ersten {n} Runden sind zu lang, um gezeigt zu werden.</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>Gespräch</translation>
    </message>
    <message>
        <source>Copy this turn</source>
        <translation>Diese Runde kopieren</translation>
    </message>
    <message>
        <source>Copy the whole text</source>
        <translation>Ganzen Text kopieren</translation>
    </message>
</context>
<context>
    <name>PublishDialog</name>
    <message>
        <source>Publish a bundle</source>
        <translation>Bündel bereitstellen</translation>
    </message>
    <message>
        <source>Bundle …</source>
        <translation>Bündel …</translation>
    </message>
    <message>
        <source>Raters to assign it to, one per line</source>
        <translation>Bewertende, denen es zugeteilt wird, je Zeile ein Name</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Publish</source>
        <translation>Bereitstellen</translation>
    </message>
    <message>
        <source>The bundle is uploaded to {hub}, without its gold answers unless it is for practice.</source>
        <translation>Das Bündel geht an {hub}, ohne Musterantworten, außer zur Übung.</translation>
    </message>
    <message>
        <source>Add all raters of this hub ({n})</source>
        <translation>Alle Bewertenden dieses Hubs hinzufügen ({n})</translation>
    </message>
    <message>
        <source>No bundle is chosen yet.</source>
        <translation>Noch ist kein Bündel gewählt.</translation>
    </message>
</context>
<context>
    <name>QuestionRow</name>
    <message>
        <source>This project’s own: {choices}</source>
        <translation>{choices} gibt es nur in diesem Projekt</translation>
    </message>
    <message>
        <source>Read the rule</source>
        <translation>Regel lesen</translation>
    </message>
    <message>
        <source>Guideline: {section}</source>
        <translation>Leitfaden: {section}</translation>
    </message>
    <message>
        <source>current question</source>
        <translation>aktuelle Frage</translation>
    </message>
    <message>
        <source>optional</source>
        <translation>freiwillig</translation>
    </message>
</context>
<context>
    <name>RaterPage</name>
    <message>
        <source>What is your name?</source>
        <translation>Wie heißen Sie?</translation>
    </message>
    <message>
        <source>Your ratings and results carry this name. It can be changed in the settings.</source>
        <translation>Ihre Bewertungen und Ergebnisse tragen diesen Namen. Er lässt sich in den Einstellungen ändern.</translation>
    </message>
    <message>
        <source>Your name in ratings</source>
        <translation>Ihr Name in Bewertungen</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Weiter</translation>
    </message>
</context>
<context>
    <name>RaterPages</name>
    <message>
        <source>{rater} gave no evidence here.</source>
        <translation>{rater} hat hier keine Belege angegeben.</translation>
    </message>
</context>
<context>
    <name>RaterRatingView</name>
    <message>
        <source>The page as the rater saw it</source>
        <translation>Die Seite, wie die Person sie sah</translation>
    </message>
    <message>
        <source>Back to the comparison</source>
        <translation>Zurück zum Vergleich</translation>
    </message>
    <message>
        <source>Rating by {rater}, read-only</source>
        <translation>Bewertung von {rater}, schreibgeschützt</translation>
    </message>
</context>
<context>
    <name>RatingCommands</name>
    <message>
        <source>There are no warnings here.</source>
        <translation>Hier gibt es keine Warnungen.</translation>
    </message>
    <message>
        <source>Why is this warning acceptable?</source>
        <translation>Warum ist diese Warnung vertretbar?</translation>
    </message>
    <message>
        <source>Acknowledge</source>
        <translation>Hinnehmen</translation>
    </message>
    <message>
        <source>Note to the QA lead about this task</source>
        <translation>Notiz an die Prüfleitung zu dieser Aufgabe</translation>
    </message>
    <message>
        <source>Select a target first: only targets have borders.</source>
        <translation>Wählen Sie zuerst eine Stelle: Nur Stellen haben Grenzen.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>The target&apos;s borders were changed.</source>
        <translation>Die Grenzen der Stelle wurden geändert.</translation>
    </message>
    <message>
        <source>What is wrong with the borders of this target?</source>
        <translation>Was stimmt an den Grenzen dieser Stelle nicht?</translation>
    </message>
    <message>
        <source>To correct them, first select the words that the target should contain.</source>
        <translation>Um sie zu berichtigen, wählen Sie zuerst die Wörter aus, die zur Stelle gehören sollen.</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Timer paused. It resumes with your next answer.</source>
        <translation>Die Zeitmessung ist angehalten. Sie läuft mit Ihrer nächsten Antwort weiter.</translation>
    </message>
    <message>
        <source>This bundle has no guidelines.</source>
        <translation>Dieses Bündel hat keinen Leitfaden.</translation>
    </message>
    <message>
        <source>{count} left</source>
        <translation>Noch {count}</translation>
    </message>
</context>
<context>
    <name>RatingForm</name>
    <message>
        <source>Questions</source>
        <translation>Fragen</translation>
    </message>
</context>
<context>
    <name>ReadOnlyMode</name>
    <message>
        <source>Read-only</source>
        <translation>Nur lesen</translation>
    </message>
    <message>
        <source>Try to write</source>
        <translation>Schreiben versuchen</translation>
    </message>
    <message>
        <source>The other program has closed the store. This window can write now.</source>
        <translation>Das andere Programm hat die Ablage geschlossen. Dieses Fenster kann jetzt schreiben.</translation>
    </message>
    <message>
        <source>Enable writing</source>
        <translation>Schreiben aktivieren</translation>
    </message>
    <message>
        <source>Another program replaced, moved or removed the file of the store: {file}. This window shows the store as it was.</source>
        <translation>Ein anderes Programm hat die Datei des Speichers ersetzt, verschoben oder gelöscht: {file}. Dieses Fenster zeigt den Speicher, wie er war.</translation>
    </message>
    <message>
        <source>Open the store again</source>
        <translation>Speicher erneut öffnen</translation>
    </message>
</context>
<context>
    <name>ReaderView</name>
    <message>
        <source>Page: {title}</source>
        <translation>Seite: {title}</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
</context>
<context>
    <name>ReceivedResultsSection</name>
    <message>
        <source>Received results, keys and copies</source>
        <translation>Eingegangene Ergebnisse, Schlüssel und Kopien</translation>
    </message>
    <message>
        <source>Admit …</source>
        <translation>Zulassen …</translation>
    </message>
    <message>
        <source>Take out …</source>
        <translation>Herausnehmen …</translation>
    </message>
    <message>
        <source>Admit all results of this rater …</source>
        <translation>Alle dieser Person zulassen …</translation>
    </message>
    <message>
        <source>Take the decision back</source>
        <translation>Entscheidung zurücknehmen</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>Reason, for everyone who reads the audit</source>
        <translation>Grund, für alle, die die Prüfung lesen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Introduce …</source>
        <translation>Anerkennen …</translation>
    </message>
    <message>
        <source>Call back …</source>
        <translation>Widerrufen …</translation>
    </message>
    <message>
        <source>Go back to this revision …</source>
        <translation>Zu diesem Stand zurückkehren …</translation>
    </message>
    <message>
        <source>Put this copy away …</source>
        <translation>Diese Kopie weglegen …</translation>
    </message>
</context>
<context>
    <name>RecordTree</name>
    <message>
        <source>Record</source>
        <translation>Datensatz</translation>
    </message>
</context>
<context>
    <name>RemovalQuestion</name>
    <message>
        <source>Remove {bundle}?</source>
        <translation>„{bundle}“ entfernen?</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Hide it</source>
        <translation>Weglegen</translation>
    </message>
    <message>
        <source>Remove it</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>1 task</source>
        <translation>1 Aufgabe</translation>
    </message>
    <message>
        <source>{n} tasks</source>
        <translation>{n} Aufgaben</translation>
    </message>
    <message>
        <source>1 rating</source>
        <translation>1 Bewertung</translation>
    </message>
    <message>
        <source>{n} ratings</source>
        <translation>{n} Bewertungen</translation>
    </message>
    <message>
        <source>1 stored page</source>
        <translation>1 abgelegte Seite</translation>
    </message>
    <message>
        <source>{n} stored pages</source>
        <translation>{n} abgelegte Seiten</translation>
    </message>
    <message>
        <source>It holds {what}.</source>
        <translation>Es enthält {what}.</translation>
    </message>
    <message>
        <source>It can&apos;t be removed: this store holds results or reviews of it.</source>
        <translation>Es lässt sich nicht entfernen: Diese Ablage enthält Ergebnisse oder Prüfungen dazu.</translation>
    </message>
    <message>
        <source>All of this is deleted. The file of the bundle can be imported again.</source>
        <translation>All das wird gelöscht. Die Datei des Bündels lässt sich wieder einlesen.</translation>
    </message>
    <message>
        <source>{tasks} and {n} more</source>
        <translation>{tasks} und {n} weiteren</translation>
    </message>
    <message>
        <source>It can&apos;t be removed: neither exported nor sent are the ratings of {tasks}.</source>
        <translation>Es lässt sich nicht entfernen: Weder ausgegeben noch gesendet sind die Bewertungen von {tasks}.</translation>
    </message>
</context>
<context>
    <name>RepeatCommands</name>
    <message>
        <source>No target contains what is searched for.</source>
        <translation>Keine Stelle enthält das Gesuchte.</translation>
    </message>
    <message>
        <source>{n} targets selected</source>
        <translation>{n} Stellen ausgewählt</translation>
    </message>
    <message>
        <source>Only targets can be answered as the last one.</source>
        <translation>Nur Stellen lassen sich wie die letzte beantworten.</translation>
    </message>
    <message>
        <source>No target was answered before that can be repeated here.</source>
        <translation>Es gibt keine früher beantwortete Stelle, die sich hier wiederholen lässt.</translation>
    </message>
    <message>
        <source>the last target of {task}</source>
        <translation>die letzte Stelle von {task}</translation>
    </message>
    <message>
        <source>target {n}</source>
        <translation>Stelle {n}</translation>
    </message>
    <message>
        <source>Answered as {source}.</source>
        <translation>Beantwortet wie {source}.</translation>
    </message>
    <message>
        <source>{n} targets answered as {source}.</source>
        <translation>{n} Stellen beantwortet wie {source}.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Not for target {n}: its own evidence, claims or earlier answers differ.</source>
        <translation>Nicht für Stelle {n}: Eigene Belege, Aussagen oder frühere Antworten weichen ab.</translation>
    </message>
    <message>
        <source>Not for targets {n}: their own evidence, claims or earlier answers differ.</source>
        <translation>Nicht für die Stellen {n}: Eigene Belege, Aussagen oder frühere Antworten weichen ab.</translation>
    </message>
</context>
<context>
    <name>ReplayScreen</name>
    <message>
        <source>Changed rubric</source>
        <translation>Geänderter Fragebogen</translation>
    </message>
    <message>
        <source>Choose the changed rubric…</source>
        <translation>Geänderten Fragebogen wählen …</translation>
    </message>
    <message>
        <source>Make a bundle of these…</source>
        <translation>Daraus ein Bündel machen …</translation>
    </message>
    <message>
        <source>The results are judged by the changed rubric…</source>
        <translation>Die Ergebnisse werden nach dem geänderten Fragebogen beurteilt …</translation>
    </message>
    <message>
        <source>Choose the changed rubric</source>
        <translation>Geänderten Fragebogen wählen</translation>
    </message>
    <message>
        <source>{old} → {new}: {n} of {places} places are judged otherwise.</source>
        <translation>{old} → {new}: {n} von {places} Stellen werden anders beurteilt.</translation>
    </message>
    <message>
        <source>The chosen rubric has the same rules as that of the results.</source>
        <translation>Der gewählte Fragebogen hat dieselben Regeln wie der der Ergebnisse.</translation>
    </message>
    <message>
        <source>There is no newer built-in rubric for these results. Choose a changed one.</source>
        <translation>Zu diesen Ergebnissen gibt es keinen neueren mitgelieferten Fragebogen. Wählen Sie einen geänderten.</translation>
    </message>
    <message>
        <source>The first {n} are listed; a bundle has all.</source>
        <translation>Aufgeführt sind die ersten {n}; ein Bündel enthält alle.</translation>
    </message>
    <message>
        <source>Task|Target|Rater|Before|Now|Reason|Section</source>
        <translation>Aufgabe|Stelle|Bewertet von|Vorher|Jetzt|Grund|Abschnitt</translation>
    </message>
    <message>
        <source>Bundles (*.zip *.rater)</source>
        <translation>Bündel (*.zip *.rater)</translation>
    </message>
    <message>
        <source>Make a bundle</source>
        <translation>Bündel machen</translation>
    </message>
    <message>
        <source>Written: {files}.</source>
        <translation>Geschrieben: {files}.</translation>
    </message>
</context>
<context>
    <name>Report</name>
    <message>
        <source>every rating is the same</source>
        <translation>alle Bewertungen sind gleich</translation>
    </message>
    <message>
        <source>fewer than {n} tasks have a rarer label from two raters: no interval, see AC1</source>
        <translation>weniger als {n} Aufgaben haben ein selteneres Ergebnis von zwei Bewertenden: kein Intervall, siehe AC1</translation>
    </message>
    <message>
        <source>with few raters and a rare label, this interval over raters is too narrow: it covers about 92 % instead of 95 %</source>
        <translation>bei wenigen Bewertenden und einem seltenen Ergebnis ist dieses Intervall über Bewertende zu schmal: Es hält etwa 92 % statt 95 %</translation>
    </message>
    <message>
        <source>no unit has two ratings</source>
        <translation>keine Einheit hat zwei Bewertungen</translation>
    </message>
    <message>
        <source>the units have different numbers of ratings</source>
        <translation>die Einheiten haben verschieden viele Bewertungen</translation>
    </message>
    <message>
        <source>no other ratings</source>
        <translation>keine anderen Bewertungen</translation>
    </message>
    <message>
        <source>no gold</source>
        <translation>kein Muster</translation>
    </message>
    <message>
        <source>no repeated tasks</source>
        <translation>keine wiederholten Aufgaben</translation>
    </message>
    <message>
        <source>there is nothing to compute it from</source>
        <translation>es gibt nichts, woraus es berechnet werden könnte</translation>
    </message>
    <message>
        <source>it is not defined, since nothing varies</source>
        <translation>nicht definiert, da nichts sich unterscheidet</translation>
    </message>
    <message>
        <source>all tasks are alike: no interval</source>
        <translation>alle Aufgaben sind gleich: kein Intervall</translation>
    </message>
    <message>
        <source>rests on 1 task: too few for an interval</source>
        <translation>beruht auf 1 Aufgabe: zu wenig für ein Intervall</translation>
    </message>
    <message>
        <source>in too many draws it is not defined</source>
        <translation>in zu vielen Ziehungen nicht definiert</translation>
    </message>
    <message>
        <source>raters differ nowhere: too little for an interval</source>
        <translation>die Bewertenden weichen nirgends ab: zu wenig für ein Intervall</translation>
    </message>
    <message>
        <source>it has too many different values for an interval</source>
        <translation>zu viele verschiedene Werte für ein Intervall</translation>
    </message>
    <message>
        <source>one rater has no reliability</source>
        <translation>bei nur einer Person gibt es keine Reliabilität</translation>
    </message>
    <message>
        <source>shares no places with the others</source>
        <translation>keine gemeinsamen Stellen mit den anderen</translation>
    </message>
    <message>
        <source>the interval has no upper end</source>
        <translation>das Intervall hat kein oberes Ende</translation>
    </message>
    <message>
        <source>there is only one rater</source>
        <translation>es gibt nur eine bewertende Person</translation>
    </message>
    <message>
        <source>it was always preferred, or never: too little for an interval</source>
        <translation>immer oder nie bevorzugt: zu wenig für ein Intervall</translation>
    </message>
    <message>
        <source>not all systems have been compared, directly or through others</source>
        <translation>nicht alle Systeme wurden direkt oder über andere verglichen</translation>
    </message>
    <message>
        <source>each system was always shown on the same side</source>
        <translation>jedes System wurde immer auf derselben Seite gezeigt</translation>
    </message>
    <message>
        <source>No response has been rated.</source>
        <translation>Noch ist keine Antwort bewertet.</translation>
    </message>
    <message>
        <source>No response matches the filter.</source>
        <translation>Keine Antwort entspricht dem Filter.</translation>
    </message>
    <message>
        <source>With a model of the raters each label rests on all ratings: choose the majority to see how few judgements decide.</source>
        <translation>Mit einem Modell der Bewertenden beruht jedes Ergebnis auf allen Bewertungen: Wählen Sie die Mehrheit, um zu sehen, wie wenige Urteile entscheiden.</translation>
    </message>
    <message>
        <source>How few judgements decide is not computed over a dataset: open it in a store.</source>
        <translation>Wie wenige Urteile entscheiden, wird für einen Datensatz nicht berechnet: In einem Speicher öffnen.</translation>
    </message>
    <message>
        <source>There are too many ratings to search which of them decide.</source>
        <translation>Es sind zu viele Bewertungen, um zu suchen, welche entscheiden.</translation>
    </message>
    <message>
        <source>fewer than 30 units have two ratings</source>
        <translation>weniger als 30 Einheiten haben zwei Bewertungen</translation>
    </message>
    <message>
        <source>a rater gave fewer than 10 ratings</source>
        <translation>eine Person gab weniger als 10 Bewertungen ab</translation>
    </message>
    <message>
        <source>a step was given fewer than 10 times</source>
        <translation>eine Stufe wurde weniger als 10-mal vergeben</translation>
    </message>
    <message>
        <source>a rater gave the same value everywhere</source>
        <translation>eine Person vergab überall denselben Wert</translation>
    </message>
    <message>
        <source>more than 50,000 ratings</source>
        <translation>mehr als 50.000 Bewertungen</translation>
    </message>
    <message>
        <source>it has too many steps</source>
        <translation>zu viele Stufen</translation>
    </message>
    <message>
        <source>all within one week</source>
        <translation>alles innerhalb einer Woche</translation>
    </message>
    <message>
        <source>the bound holds more often than in 95 of 100 samples, since no judged rating of a group is wrong</source>
        <translation>die Grenze hält in mehr als 95 von 100 Stichproben, da keine geprüfte Bewertung einer Gruppe falsch ist</translation>
    </message>
    <message>
        <source>a group of ratings has no judged one</source>
        <translation>in einer Gruppe ist keine Bewertung beurteilt</translation>
    </message>
    <message>
        <source>no drawn rating is judged</source>
        <translation>keine gezogene Bewertung ist beurteilt</translation>
    </message>
    <message>
        <source>no random sample is drawn</source>
        <translation>es ist keine Zufallsstichprobe gezogen</translation>
    </message>
    <message>
        <source>no final labels</source>
        <translation>keine endgültigen Ergebnisse</translation>
    </message>
    <message>
        <source>no blind answers of the lead</source>
        <translation>keine unbesehenen Antworten der Prüfleitung</translation>
    </message>
    <message>
        <source>all grades or all scores are the same</source>
        <translation>alle Noten oder alle Wertungen sind gleich</translation>
    </message>
    <message>
        <source>no answer takes a side</source>
        <translation>keine Antwort stimmt zu oder widerspricht</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>All raters</source>
        <translation>Alle Bewertenden</translation>
    </message>
    <message>
        <source>by {lead}</source>
        <translation>von {lead}</translation>
    </message>
    <message>
        <source>{results} results, {raters} raters, {tasks} tasks</source>
        <translation>{results} Ergebnisse, {raters} Bewertende, {tasks} Aufgaben</translation>
    </message>
    <message>
        <source>computed {when}, seed {seed}</source>
        <translation>berechnet {when}, Startwert {seed}</translation>
    </message>
    <message>
        <source>{n} targets</source>
        <translation>{n} Stellen</translation>
    </message>
    <message>
        <source>{n} responses</source>
        <translation>{n} Antworten</translation>
    </message>
    <message>
        <source>{n} tasks</source>
        <translation>{n} Aufgaben</translation>
    </message>
    <message>
        <source>1 target</source>
        <translation>1 Stelle</translation>
    </message>
    <message>
        <source>1 response</source>
        <translation>1 Antwort</translation>
    </message>
    <message>
        <source>1 task</source>
        <translation>1 Aufgabe</translation>
    </message>
    <message>
        <source>{n} ratings of {raters} are by another revision of the rubric and in no figure.</source>
        <translation>{n} Bewertungen von {raters} wurden nach einem anderen Stand des Fragebogens gemacht und gehen in keine Zahl ein.</translation>
    </message>
    <message>
        <source>1 rating of {raters} is by another revision of the rubric and in no figure.</source>
        <translation>1 Bewertung von {raters} wurde nach einem anderen Stand des Fragebogens gemacht und geht in keine Zahl ein.</translation>
    </message>
    <message>
        <source>Label of a target</source>
        <translation>Einstufung einer Stelle</translation>
    </message>
    <message>
        <source>Label of a response</source>
        <translation>Einstufung einer Antwort</translation>
    </message>
    <message>
        <source>Label of a task</source>
        <translation>Einstufung einer Aufgabe</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Agreement</source>
        <translation>Übereinstimmung</translation>
    </message>
    <message>
        <source>Percent agreement</source>
        <translation>Übereinstimmung in %</translation>
    </message>
    <message>
        <source>Cohen’s κ</source>
        <translation>Cohens κ</translation>
    </message>
    <message>
        <source>Weighted κ, linear</source>
        <translation>Gewichtetes κ, linear</translation>
    </message>
    <message>
        <source>Weighted κ, quadratic</source>
        <translation>Gewichtetes κ, quadratisch</translation>
    </message>
    <message>
        <source>Fleiss’ κ</source>
        <translation>Fleiss’ κ</translation>
    </message>
    <message>
        <source>Krippendorff’s α</source>
        <translation>Krippendorffs α</translation>
    </message>
    <message>
        <source>Gwet’s AC1</source>
        <translation>Gwets AC1</translation>
    </message>
    <message>
        <source>α: {question}</source>
        <translation>α: {question}</translation>
    </message>
    <message>
        <source>undefined: {why}</source>
        <translation>nicht definiert: {why}</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>Kennzahl</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>95-%-Intervall</translation>
    </message>
    <message>
        <source>Based on</source>
        <translation>Grundlage</translation>
    </message>
    <message>
        <source>Given label vs. majority</source>
        <translation>Vergebene Einstufung und Mehrheit</translation>
    </message>
    <message>
        <source>counts, shaded by share of row</source>
        <translation>Anzahl, Tönung nach Anteil der Zeile</translation>
    </message>
    <message>
        <source>majority of the others</source>
        <translation>Mehrheit der anderen</translation>
    </message>
    <message>
        <source>total</source>
        <translation>gesamt</translation>
    </message>
    <message>
        <source>Given</source>
        <translation>Vergeben</translation>
    </message>
    <message>
        <source>{given} given, {others} by the others: {n} ({share} of the row)</source>
        <translation>{given} vergeben, {others} bei den anderen: {n} ({share} der Zeile)</translation>
    </message>
    <message>
        <source>Most often confused: {given} given, {others} by the others ({n})</source>
        <translation>Am häufigsten verwechselt: {given} vergeben, {others} bei den anderen ({n})</translation>
    </message>
    <message>
        <source>No rating differs from the majority of the others.</source>
        <translation>Keine Bewertung weicht von der Mehrheit der anderen ab.</translation>
    </message>
    <message>
        <source>{n} more ratings, where the others have no majority, are not shown.</source>
        <translation>{n} weitere Bewertungen ohne Mehrheit der anderen sind nicht enthalten.</translation>
    </message>
    <message>
        <source>Label shares</source>
        <translation>Anteile der Einstufungen</translation>
    </message>
    <message>
        <source>Per cent of the rater’s targets.</source>
        <translation>Prozent der Stellen je Person.</translation>
    </message>
    <message>
        <source>Per cent of the rater’s responses.</source>
        <translation>Prozent der Antworten je Person.</translation>
    </message>
    <message>
        <source>Per cent of the rater’s tasks.</source>
        <translation>Prozent der Aufgaben je Person.</translation>
    </message>
    <message>
        <source>{rater}: based on {n} only.</source>
        <translation>{rater}: beruht nur auf {n}.</translation>
    </message>
    <message>
        <source>Based on few ratings: {raters}.</source>
        <translation>Auf wenigen Bewertungen beruhen: {raters}.</translation>
    </message>
    <message>
        <source>no label given</source>
        <translation>keine Einstufung vergeben</translation>
    </message>
    <message>
        <source>This question has too many answers to show their shares.</source>
        <translation>Diese Frage hat zu viele Antworten, um ihre Anteile zu zeigen.</translation>
    </message>
    <message>
        <source>Active time per target</source>
        <translation>Aktive Zeit je Stelle</translation>
    </message>
    <message>
        <source>Active time per task</source>
        <translation>Aktive Zeit je Aufgabe</translation>
    </message>
    <message>
        <source>min</source>
        <translation>min</translation>
    </message>
    <message>
        <source>{rater}: median {median} min, 10th percentile {low}, 90th percentile {high}, {n}</source>
        <translation>{rater}: Median {median} min, 10. Perzentil {low}, 90. Perzentil {high}, {n}</translation>
    </message>
    <message>
        <source>no times recorded</source>
        <translation>keine Zeiten erfasst</translation>
    </message>
    <message>
        <source>Dot: median. Line: from the 10th to the 90th percentile.</source>
        <translation>Punkt: Median. Linie: vom 10. bis zum 90. Perzentil.</translation>
    </message>
    <message>
        <source>Dashed: the {minutes} minutes that the rubric asks for.</source>
        <translation>Gestrichelt: die vom Fragebogen verlangten {minutes} Minuten.</translation>
    </message>
    <message>
        <source>Dashed: the {minutes} minutes that the rubric asks for before {label}.</source>
        <translation>Gestrichelt: die vom Fragebogen verlangten {minutes} Minuten vor {label}.</translation>
    </message>
    <message>
        <source>Median, min</source>
        <translation>Median, min</translation>
    </message>
    <message>
        <source>95 % interval of the median</source>
        <translation>95-%-Intervall des Medians</translation>
    </message>
    <message>
        <source>10th percentile</source>
        <translation>10. Perzentil</translation>
    </message>
    <message>
        <source>90th percentile</source>
        <translation>90. Perzentil</translation>
    </message>
    <message>
        <source>Reliability of the scale</source>
        <translation>Reliabilität der Skala</translation>
    </message>
    <message>
        <source>near steps agree in part</source>
        <translation>nahe Stufen stimmen teilweise überein</translation>
    </message>
    <message>
        <source>No unit has two ratings.</source>
        <translation>Keine Einheit hat zwei Bewertungen.</translation>
    </message>
    <message>
        <source>{n} raters</source>
        <translation>{n} Bewertende</translation>
    </message>
    <message>
        <source>1 rater</source>
        <translation>1 Person</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>Gwet’s AC2, {weights}</source>
        <translation>Gwets AC2, {weights}</translation>
    </message>
    <message>
        <source>Brennan–Prediger, {weights}</source>
        <translation>Brennan–Prediger, {weights}</translation>
    </message>
    <message>
        <source>Conger’s κ, {weights}</source>
        <translation>Congers κ, {weights}</translation>
    </message>
    <message>
        <source>ordinal</source>
        <translation>ordinal</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>linear</translation>
    </message>
    <message>
        <source>quadratic</source>
        <translation>quadratisch</translation>
    </message>
    <message>
        <source>ICC(1)</source>
        <translation>ICC(1)</translation>
    </message>
    <message>
        <source>ICC(2,1), one rater</source>
        <translation>ICC(2,1), eine Person</translation>
    </message>
    <message>
        <source>ICC(2,k), mean</source>
        <translation>ICC(2,k), Mittel</translation>
    </message>
    <message>
        <source>Standard deviation of places</source>
        <translation>Standardabweichung der Stellen</translation>
    </message>
    <message>
        <source>Standard deviation of raters</source>
        <translation>Standardabweichung der Bewertenden</translation>
    </message>
    <message>
        <source>Standard deviation of the rest</source>
        <translation>Standardabweichung des Rests</translation>
    </message>
    <message>
        <source>Raters for a reliability of {reliability}</source>
        <translation>Bewertende für eine Reliabilität von {reliability}</translation>
    </message>
    <message>
        <source>Step {n}, log-odds</source>
        <translation>Stufe {n}, Log-Odds</translation>
    </message>
    <message>
        <source>Standard deviation of places, log-odds</source>
        <translation>Standardabweichung der Stellen, Log-Odds</translation>
    </message>
    <message>
        <source>No many-facet model: {why}.</source>
        <translation>Kein Multifacettenmodell: {why}.</translation>
    </message>
    <message>
        <source>Raters on the scale</source>
        <translation>Bewertende auf der Skala</translation>
    </message>
    <message>
        <source>offset: how much more than the others at the same places</source>
        <translation>Versatz: wie viel höher als die anderen an denselben Stellen</translation>
    </message>
    <message>
        <source>Offset, steps</source>
        <translation>Versatz, Stufen</translation>
    </message>
    <message>
        <source>Severity, log-odds</source>
        <translation>Strenge, Log-Odds</translation>
    </message>
    <message>
        <source>Infit / outfit</source>
        <translation>Infit / Outfit</translation>
    </message>
    <message>
        <source>Ratings</source>
        <translation>Bewertungen</translation>
    </message>
    <message>
        <source>Severity: many-facet rating scale model. Infit and outfit are 1 on average; above 1.5 is noise.</source>
        <translation>Strenge: Multifacettenmodell für Ratingskalen. Infit und Outfit sind im Mittel 1; über 1,5 ist Rauschen.</translation>
    </message>
    <message>
        <source>Models against people</source>
        <translation>Modelle und Menschen</translation>
    </message>
    <message>
        <source>could a model replace a rater? Epsilon {epsilon}</source>
        <translation>Könnte ein Modell jemanden ersetzen? Epsilon {epsilon}</translation>
    </message>
    <message>
        <source>Same value as a person</source>
        <translation>Gleicher Wert wie ein Mensch</translation>
    </message>
    <message>
        <source>α with the people</source>
        <translation>α mit den Menschen</translation>
    </message>
    <message>
        <source>α among the people</source>
        <translation>α unter den Menschen</translation>
    </message>
    <message>
        <source>As close as a rater</source>
        <translation>So nah wie Bewertende</translation>
    </message>
    <message>
        <source>Wins against raters</source>
        <translation>Siege gegen Bewertende</translation>
    </message>
    <message>
        <source>Could replace one</source>
        <translation>Kann ersetzen</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>In plain words</source>
        <translation>In einfachen Worten</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>no, only with epsilon from {epsilon}</source>
        <translation>nein, erst mit Epsilon ab {epsilon}</translation>
    </message>
    <message>
        <source>Change over time</source>
        <translation>Veränderung über die Zeit</translation>
    </message>
    <message>
        <source>agreement with the others, from 0 to 1</source>
        <translation>Übereinstimmung mit den anderen, von 0 bis 1</translation>
    </message>
    <message>
        <source>Agreement, a week</source>
        <translation>Übereinstimmung, je Woche</translation>
    </message>
    <message>
        <source>Agreement, twice the tasks</source>
        <translation>Übereinstimmung, doppelt so viele Aufgaben</translation>
    </message>
    <message>
        <source>Time, twice the tasks</source>
        <translation>Zeit, doppelt so viele Aufgaben</translation>
    </message>
    <message>
        <source>Raters</source>
        <translation>Bewertende</translation>
    </message>
    <message>
        <source>in order of name; intervals are wide where few tasks are shared</source>
        <translation>nach Namen; Intervalle sind breit bei wenigen gemeinsamen Aufgaben</translation>
    </message>
    <message>
        <source>below</source>
        <translation>darunter</translation>
    </message>
    <message>
        <source>above</source>
        <translation>darüber</translation>
    </message>
    <message>
        <source>Rater</source>
        <translation>Person</translation>
    </message>
    <message>
        <source>{rater} (model)</source>
        <translation>{rater} (Modell)</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>Aufgaben</translation>
    </message>
    <message>
        <source>Targets</source>
        <translation>Stellen</translation>
    </message>
    <message>
        <source>Responses</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>Median / p90, min</source>
        <translation>Median / p90, min</translation>
    </message>
    <message>
        <source>Evidence per claim</source>
        <translation>Belege je Aussage</translation>
    </message>
    <message>
        <source>Without research</source>
        <translation>Ohne Recherche</translation>
    </message>
    <message>
        <source>Never opened</source>
        <translation>Nie geöffnet</translation>
    </message>
    <message>
        <source>Evidence taken over</source>
        <translation>Übernommene Belege</translation>
    </message>
    <message>
        <source>Answers taken over</source>
        <translation>Übernommene Antworten</translation>
    </message>
    <message>
        <source>Open warnings</source>
        <translation>Offene Warnungen</translation>
    </message>
    <message>
        <source>{title}, {tasks}</source>
        <translation>{title}, {tasks}</translation>
    </message>
    <message>
        <source>α with the others</source>
        <translation>α mit den anderen</translation>
    </message>
    <message>
        <source>Beside the group</source>
        <translation>Neben der Gruppe</translation>
    </message>
    <message>
        <source>Agrees with gold</source>
        <translation>Wie das Muster</translation>
    </message>
    <message>
        <source>Text score</source>
        <translation>Textwertung</translation>
    </message>
    <message>
        <source>Agreement on repeats</source>
        <translation>Gleich bei Wiederholung</translation>
    </message>
    <message>
        <source>Equal to most decided cases</source>
        <translation>Wie die meisten entschiedenen Fälle</translation>
    </message>
    <message>
        <source>Equal to most decided cases, unlike the first answer</source>
        <translation>Wie die meisten entschiedenen Fälle, anders als die erste Antwort</translation>
    </message>
    <message>
        <source>Equal to the suggestion</source>
        <translation>Wie der Vorschlag</translation>
    </message>
    <message>
        <source>not scored</source>
        <translation>nicht gewertet</translation>
    </message>
    <message>
        <source>Without a quote</source>
        <translation>Ohne Zitat</translation>
    </message>
    <message>
        <source>Page not saved</source>
        <translation>Seite nicht gespeichert</translation>
    </message>
    <message>
        <source>Warnings acknowledged</source>
        <translation>Warnungen hingenommen</translation>
    </message>
    <message>
        <source>Skipped tasks</source>
        <translation>Übersprungene Aufgaben</translation>
    </message>
    <message>
        <source>Revisions</source>
        <translation>Stände</translation>
    </message>
    <message>
        <source>Targets with most disagreement</source>
        <translation>Größte Abweichungen</translation>
    </message>
    <message>
        <source>{rater}, targets that differ most from the others</source>
        <translation>{rater}, größte Abweichungen von den anderen</translation>
    </message>
    <message>
        <source>Places with most disagreement</source>
        <translation>Größte Abweichungen</translation>
    </message>
    <message>
        <source>{rater}, places that differ most from the others</source>
        <translation>{rater}, größte Abweichungen von den anderen</translation>
    </message>
    <message>
        <source>others: {label}</source>
        <translation>andere: {label}</translation>
    </message>
    <message>
        <source>Own</source>
        <translation>Eigene</translation>
    </message>
    <message>
        <source>What it means</source>
        <translation>Was es bedeutet</translation>
    </message>
    <message>
        <source>too few tasks</source>
        <translation>zu wenige Aufgaben</translation>
    </message>
    <message>
        <source>… and {n} more</source>
        <translation>… und {n} weitere</translation>
    </message>
    <message>
        <source>Evidence, and labels without any</source>
        <translation>Belege, und Einstufungen ohne Beleg</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>of all evidence; and of a label, where nothing but libraries was searched</source>
        <translation>an allen Belegen; und an einer Einstufung, wo nur in Bibliotheken gesucht wurde</translation>
    </message>
    <message>
        <source>Offline libraries</source>
        <translation>Offline-Bibliotheken</translation>
    </message>
    <message>
        <source>Evidence from {library}</source>
        <translation>Belege aus {library}</translation>
    </message>
    <message>
        <source>{label}, on libraries alone</source>
        <translation>{label}, nur auf Bibliotheken gestützt</translation>
    </message>
    <message>
        <source>{n} of {total}, {share}</source>
        <translation>{n} von {total}, {share}</translation>
    </message>
    <message>
        <source>{value} (too few: {tasks})</source>
        <translation>{value} (zu wenige: {tasks})</translation>
    </message>
    <message>
        <source>first those whose interval lies outside that of the group: {n} of {told}; up to {chance} by chance</source>
        <translation>zuerst die, deren Intervall außerhalb von dem der Gruppe liegt: {n} von {told}; bis zu {chance} durch Zufall</translation>
    </message>
    <message>
        <source>Others</source>
        <translation>Andere</translation>
    </message>
    <message>
        <source>Rated text</source>
        <translation>Bewerteter Text</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>Wo</translation>
    </message>
    <message>
        <source>No differences.</source>
        <translation>Keine Abweichungen.</translation>
    </message>
    <message>
        <source>{n} ratings are of another text or rubric than others. Open the bundle itself, which decides what counts.</source>
        <translation>{n} Bewertungen gelten einem anderen Text oder Fragebogen als die übrigen. Welche zählen, entscheidet das Bündel: Öffnen Sie es.</translation>
    </message>
    <message>
        <source>{n} forks: results of {raters} do not follow each other.</source>
        <translation>{n} Verzweigungen: Ergebnisse von {raters} folgen nicht aufeinander.</translation>
    </message>
    <message>
        <source>1 rating is of another text or rubric than others. Open the bundle itself, which decides what counts.</source>
        <translation>1 Bewertung gilt einem anderen Text oder Fragebogen als die übrigen. Welche zählen, entscheidet das Bündel: Öffnen Sie es.</translation>
    </message>
    <message>
        <source>1 fork: results of {raters} do not follow each other.</source>
        <translation>1 Verzweigung: Ergebnisse von {raters} folgen nicht aufeinander.</translation>
    </message>
    <message>
        <source>{n} results of {raters} wait for the lead’s decision and count for nothing.</source>
        <translation>{n} Ergebnisse von {raters} warten auf die Entscheidung der Prüfleitung und zählen nicht.</translation>
    </message>
    <message>
        <source>{tasks}, {units} with two ratings or more, {pairs} pairs</source>
        <translation>{tasks}, {units} mit zwei oder mehr Bewertungen, {pairs} Paare</translation>
    </message>
    <message>
        <source>no interval</source>
        <translation>kein Intervall</translation>
    </message>
    <message>
        <source>rests on {n} tasks: too few for an interval</source>
        <translation>beruht auf {n} Aufgaben: zu wenige für ein Intervall</translation>
    </message>
    <message>
        <source>rests on {n} raters: too few for an interval</source>
        <translation>beruht auf {n} Bewertenden: zu wenige für ein Intervall</translation>
    </message>
    <message>
        <source>only {n} tasks have another value than the most frequent</source>
        <translation>nur {n} Aufgaben haben einen anderen Wert als den häufigsten</translation>
    </message>
    <message>
        <source>none was shown</source>
        <translation>keiner wurde gezeigt</translation>
    </message>
    <message>
        <source>none was held out</source>
        <translation>keiner wurde zurückgehalten</translation>
    </message>
    <message>
        <source>Share of answers</source>
        <translation>Anteil der Antworten</translation>
    </message>
    <message>
        <source>Shown minus held out</source>
        <translation>Gezeigt minus zurückgehalten</translation>
    </message>
    <message>
        <source>Shown</source>
        <translation>Gezeigt</translation>
    </message>
    <message>
        <source>Held out</source>
        <translation>Zurückgehalten</translation>
    </message>
    <message>
        <source>Ratings that an earlier version opened are left out: {n}</source>
        <translation>Nicht gezählte Bewertungen, die eine frühere Version geöffnet hat: {n}</translation>
    </message>
    <message>
        <source>Pull of cases and suggestions</source>
        <translation>Sog von Fällen und Vorschlägen</translation>
    </message>
    <message>
        <source>95 % intervals over tasks</source>
        <translation>95-%-Intervalle über Aufgaben</translation>
    </message>
    <message>
        <source>{share} of {n}, {tasks}</source>
        <translation>{share} von {n}, {tasks}</translation>
    </message>
    <message>
        <source>95 % intervals over tasks and raters</source>
        <translation>95-%-Intervalle über Aufgaben und Bewertende</translation>
    </message>
    <message>
        <source>α for interval data</source>
        <translation>α für Intervalldaten</translation>
    </message>
    <message>
        <source>{rater}: {label}, {n} of {total}: {share}</source>
        <translation>{rater}: {label}, {n} von {total}: {share}</translation>
    </message>
    <message>
        <source>{n} results of {raters} count by the lead’s decision, although no known key has signed them.</source>
        <translation>{n} Ergebnisse von {raters} zählen durch Entscheidung der Prüfleitung, obwohl sie mit keinem bekannten Schlüssel unterschrieben sind.</translation>
    </message>
    <message>
        <source>1 result of {raters} waits for the lead’s decision and counts for nothing.</source>
        <translation>1 Ergebnis von {raters} wartet auf die Entscheidung der Prüfleitung und zählt nicht.</translation>
    </message>
    <message>
        <source>1 result of {raters} counts by the lead’s decision, although no known key has signed it.</source>
        <translation>1 Ergebnis von {raters} zählt durch Entscheidung der Prüfleitung, obwohl es mit keinem bekannten Schlüssel unterschrieben ist.</translation>
    </message>
    <message>
        <source>These ids look alike: {raters}.</source>
        <translation>Diese Namen sind leicht zu verwechseln: {raters}.</translation>
    </message>
    <message>
        <source>The list of raters is that of the lead’s signed assignments.</source>
        <translation>Die Liste der Bewertenden ist die der signierten Zuweisungen der Leitung.</translation>
    </message>
    <message>
        <source>No signed assignments: the list of raters is that of the results received.</source>
        <translation>Keine signierten Zuweisungen: Die Liste der Bewertenden ist die der empfangenen Ergebnisse.</translation>
    </message>
    <message>
        <source>These figures are preliminary until the bundle itself is opened.</source>
        <translation>Diese Kennzahlen sind vorläufig, bis das Bündel selbst geöffnet ist.</translation>
    </message>
    <message>
        <source>This rubric has no questions whose answers can be compared.</source>
        <translation>Dieser Fragebogen enthält keine Fragen, deren Antworten sich vergleichen lassen.</translation>
    </message>
    <message>
        <source>No rating can be compared: the other raters have no majority.</source>
        <translation>Keine Bewertung lässt sich vergleichen: Die anderen Bewertenden haben keine Mehrheit.</translation>
    </message>
    <message>
        <source>Show as a table</source>
        <translation>Als Tabelle zeigen</translation>
    </message>
    <message>
        <source>No results yet</source>
        <translation>Noch keine Ergebnisse</translation>
    </message>
    <message>
        <source>This screen compares the results of several raters: how far they agree, where they differ, and how each of them works.</source>
        <translation>Hier vergleichen Sie die Ergebnisse mehrerer Bewertender: wie weit sie übereinstimmen, wo sie abweichen und wie jede Person arbeitet.</translation>
    </message>
    <message>
        <source>Open results…</source>
        <translation>Ergebnisse öffnen …</translation>
    </message>
    <message>
        <source>Save as CSV</source>
        <translation>Als CSV speichern</translation>
    </message>
    <message>
        <source>Bundle</source>
        <translation>Bündel</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Frage</translation>
    </message>
    <message>
        <source>And {n} more: see the results in the review.</source>
        <translation>Und {n} weitere: siehe die Ergebnisse in der Prüfung.</translation>
    </message>
    <message>
        <source>Days</source>
        <translation>Tage</translation>
    </message>
    <message>
        <source>{first}–{last}</source>
        <translation>{first}.–{last}</translation>
    </message>
    <message>
        <source>{first} – {last}</source>
        <translation>{first} – {last}</translation>
    </message>
    <message>
        <source>Name, or &lt;0.4 of the figure sorted by</source>
        <translation>Name, oder &lt;0,4 zur Sortierspalte</translation>
    </message>
    <message>
        <source>Filter raters</source>
        <translation>Bewertende filtern</translation>
    </message>
    <message>
        <source>Open in review</source>
        <translation>In der Prüfung öffnen</translation>
    </message>
    <message>
        <source>Those unlike the group first</source>
        <translation>Abweichende zuerst</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Sort by</source>
        <translation>Sortieren nach</translation>
    </message>
    <message>
        <source>{n} of {total} raters</source>
        <translation>{n} von {total} Bewertenden</translation>
    </message>
    <message>
        <source>{title}: justifications</source>
        <translation>{title}: Begründungen</translation>
    </message>
    <message>
        <source>{title}: report</source>
        <translation>{title}: Bericht</translation>
    </message>
    <message>
        <source>{title}: audit result</source>
        <translation>{title}: Prüfergebnis</translation>
    </message>
    <message>
        <source>Computing the figures</source>
        <translation>Die Kennzahlen werden berechnet</translation>
    </message>
    <message>
        <source>computed in {seconds} s, seed {seed}</source>
        <translation>berechnet in {seconds} s, Startwert {seed}</translation>
    </message>
    <message>
        <source>Final label by</source>
        <translation>Endgültig nach</translation>
    </message>
    <message>
        <source>Goal</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>Drawn: {n} more places. They are in the review, under In the sample.</source>
        <translation>Gezogen: {n} weitere Stellen. Sie stehen in der Prüfung unter „In der Stichprobe“.</translation>
    </message>
    <message>
        <source>1 result checked</source>
        <translation>1 Ergebnis nachgeprüft</translation>
    </message>
    <message>
        <source>{n} results checked</source>
        <translation>{n} Ergebnisse nachgeprüft</translation>
    </message>
    <message>
        <source>{results} · computed in {seconds} s, seed {seed}</source>
        <translation>{results} · berechnet in {seconds} s, Startwert {seed}</translation>
    </message>
    <message>
        <source>recomputing</source>
        <translation>wird neu berechnet</translation>
    </message>
    <message>
        <source>Saved as {file}.</source>
        <translation>Gespeichert als {file}.</translation>
    </message>
    <message>
        <source>Audit result</source>
        <translation>Prüfergebnis</translation>
    </message>
    <message>
        <source>Rests on {raters}, {tasks}, {places} places, {ratings}; {drawn} drawn</source>
        <translation>Grundlage: {raters}, {tasks}, {places} Stellen, {ratings}; {drawn} gezogen</translation>
    </message>
    <message>
        <source>{n} ratings</source>
        <translation>{n} Bewertungen</translation>
    </message>
    <message>
        <source>1 rating</source>
        <translation>1 Bewertung</translation>
    </message>
    <message>
        <source>Errors in all work</source>
        <translation>Fehler in allen Bewertungen</translation>
    </message>
    <message>
        <source>weighted by group</source>
        <translation>nach Gruppen gewichtet</translation>
    </message>
    <message>
        <source>{low} to {high} %, 95 % interval</source>
        <translation>{low} bis {high} %, 95-%-Intervall</translation>
    </message>
    <message>
        <source>With 95&#xa0;% confidence at most {bound}&#xa0;%. {goal}</source>
        <translation>Mit 95&#xa0;% Sicherheit höchstens {bound}&#xa0;%. {goal}</translation>
    </message>
    <message>
        <source>The goal, under {goal}&#xa0;%, is shown.</source>
        <translation>Das Ziel, unter {goal}&#xa0;%, ist nachgewiesen.</translation>
    </message>
    <message>
        <source>The goal, under {goal}&#xa0;%, is refuted: it is at least {lower}&#xa0;%.</source>
        <translation>Das Ziel, unter {goal}&#xa0;%, ist widerlegt: Es sind mindestens {lower}&#xa0;%.</translation>
    </message>
    <message>
        <source>The goal, under {goal}&#xa0;%, is not shown yet, and not refuted.</source>
        <translation>Das Ziel, unter {goal}&#xa0;%, ist noch nicht nachgewiesen und nicht widerlegt.</translation>
    </message>
    <message>
        <source>{wrong} of {ratings} judged wrong, {tasks}.</source>
        <translation>{wrong} von {ratings} als falsch beurteilt, {tasks}.</translation>
    </message>
    <message>
        <source>{n} drawn ratings are not judged yet.</source>
        <translation>{n} gezogene Bewertungen sind noch nicht beurteilt.</translation>
    </message>
    <message>
        <source>1 drawn rating is not judged yet.</source>
        <translation>1 gezogene Bewertung ist noch nicht beurteilt.</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>Raters differ</source>
        <translation>Uneinig</translation>
    </message>
    <message>
        <source>All agree</source>
        <translation>Alle einig</translation>
    </message>
    <message>
        <source>One rating</source>
        <translation>Eine Bewertung</translation>
    </message>
    <message>
        <source>Together</source>
        <translation>Zusammen</translation>
    </message>
    <message>
        <source>Judged</source>
        <translation>Beurteilt</translation>
    </message>
    <message>
        <source>Wrong</source>
        <translation>Falsch</translation>
    </message>
    <message>
        <source>How many to draw</source>
        <translation>Wie viele zu ziehen sind</translation>
    </message>
    <message>
        <source>upper bound, if the rate stays</source>
        <translation>Obergrenze bei gleicher Quote</translation>
    </message>
    <message>
        <source>Places judged</source>
        <translation>Beurteilte Stellen</translation>
    </message>
    <message>
        <source>Bound</source>
        <translation>Obergrenze</translation>
    </message>
    <message>
        <source>{n}, now</source>
        <translation>{n}, jetzt</translation>
    </message>
    <message>
        <source>{n}, the first under {goal} %</source>
        <translation>{n}, zuerst unter {goal} %</translation>
    </message>
    <message>
        <source>now {bound} %</source>
        <translation>jetzt {bound} %</translation>
    </message>
    <message>
        <source>goal: under {goal} %</source>
        <translation>Ziel: unter {goal} %</translation>
    </message>
    <message>
        <source>the estimate, {rate} %</source>
        <translation>Schätzung, {rate} %</translation>
    </message>
    <message>
        <source>{n}: {bound} %</source>
        <translation>{n}: {bound} %</translation>
    </message>
    <message>
        <source>Draw {n} more</source>
        <translation>{n} weitere ziehen</translation>
    </message>
    <message>
        <source>Draw {n} places</source>
        <translation>{n} Stellen ziehen</translation>
    </message>
    <message>
        <source>If the rate stays, no number of places shows the goal.</source>
        <translation>Bleibt die Quote gleich, weist keine Zahl von Stellen das Ziel nach.</translation>
    </message>
    <message>
        <source>Of the {n} wrong: {parts}.</source>
        <translation>Von den {n} falschen: {parts}.</translation>
    </message>
    <message>
        <source>{n} {given} where the lead says {right}</source>
        <translation>{n} {given} statt {right}</translation>
    </message>
    <message>
        <source>{n} {given}</source>
        <translation>{n} {given}</translation>
    </message>
    <message>
        <source>{n} other</source>
        <translation>{n} andere</translation>
    </message>
    <message>
        <source>grey: where 95 of 100 raters lie by chance</source>
        <translation>grau: wo durch Zufall 95 von 100 Bewertenden liegen</translation>
    </message>
    <message>
        <source>One figure says little. Of {n} figures {outside} lie outside; {chance} would by chance alone. {read}</source>
        <translation>Eine einzelne Kennzahl sagt wenig. Von {n} Kennzahlen liegen {outside} außerhalb; allein durch Zufall wären es {chance}. {read}</translation>
    </message>
    <message>
        <source>Read the places before you speak to anyone.</source>
        <translation>Lesen Sie die Stellen, bevor Sie jemanden darauf ansprechen.</translation>
    </message>
    <message>
        <source>about {n}</source>
        <translation>etwa {n}</translation>
    </message>
    <message>
        <source>fewer than 1</source>
        <translation>weniger als 1</translation>
    </message>
    <message>
        <source>{low} to {high}</source>
        <translation>{low} bis {high}</translation>
    </message>
    <message>
        <source>No figure is compared with chance: that takes two raters with 20 tasks.</source>
        <translation>Keine Kennzahl wird mit dem Zufall verglichen: Dafür braucht es zwei Bewertende mit je 20 Aufgaben.</translation>
    </message>
    <message>
        <source>At least 20 tasks: {many}. Fewer: {few}.</source>
        <translation>Mindestens 20 Aufgaben: {many}. Weniger: {few}.</translation>
    </message>
    <message>
        <source>Tasks, ratings</source>
        <translation>Aufgaben, Bewertungen</translation>
    </message>
    <message>
        <source>Wrong by the lead</source>
        <translation>Falsch laut Prüfleitung</translation>
    </message>
    <message>
        <source>Share of the rater’s work that the lead judged wrong.</source>
        <translation>Anteil der Arbeit, den die Prüfleitung für falsch hält.</translation>
    </message>
    <message>
        <source>Agreement with final labels</source>
        <translation>Wie endgültig entschieden</translation>
    </message>
    <message>
        <source>Agreement with the lead’s blind answers</source>
        <translation>Wie die Prüfleitung, unbesehen</translation>
    </message>
    <message>
        <source>Agreement with gold</source>
        <translation>Wie das Muster</translation>
    </message>
    <message>
        <source>Same answer on repeats</source>
        <translation>Gleich bei Wiederholung</translation>
    </message>
    <message>
        <source>Severity, steps from the mean</source>
        <translation>Strenge, Stufen vom Mittel</translation>
    </message>
    <message>
        <source>Agreement by week</source>
        <translation>Übereinstimmung je Woche</translation>
    </message>
    <message>
        <source>Minutes, med. / p90</source>
        <translation>Minuten, Med. / p90</translation>
    </message>
    <message>
        <source>Outside</source>
        <translation>Außerhalb</translation>
    </message>
    <message>
        <source>errors</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>agreement</source>
        <translation>Einigkeit</translation>
    </message>
    <message>
        <source>blind answers</source>
        <translation>unbesehene Antworten</translation>
    </message>
    <message>
        <source>gold</source>
        <translation>Muster</translation>
    </message>
    <message>
        <source>repeats</source>
        <translation>Wiederholung</translation>
    </message>
    <message>
        <source>severity</source>
        <translation>Strenge</translation>
    </message>
    <message>
        <source>More than one figure outside, then one</source>
        <translation>Mehrere Kennzahlen außerhalb, dann eine</translation>
    </message>
    <message>
        <source>Fewer than 20 tasks: too little to tell</source>
        <translation>Weniger als 20 Aufgaben: zu wenig für ein Urteil</translation>
    </message>
    <message>
        <source>None outside</source>
        <translation>Keine außerhalb</translation>
    </message>
    <message>
        <source>At least 20 tasks</source>
        <translation>Mindestens 20 Aufgaben</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>can’t be told</source>
        <translation>nicht zu sagen</translation>
    </message>
    <message>
        <source>one week only</source>
        <translation>nur eine Woche</translation>
    </message>
    <message>
        <source>no times</source>
        <translation>keine Zeiten</translation>
    </message>
    <message>
        <source>band {low}–{high}</source>
        <translation>Zufallsbereich {low}–{high}</translation>
    </message>
    <message>
        <source>No rater matches.</source>
        <translation>Keine Person gefunden.</translation>
    </message>
    <message>
        <source>{rater}, the places behind it</source>
        <translation>{rater}, die Stellen dahinter</translation>
    </message>
    <message>
        <source>{n} of {all} differ from the final label; in {shared} of these another rater says the same</source>
        <translation>{n} von {all} endgültig anders entschieden; {shared} davon teilt eine andere Person</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>Einstufung</translation>
    </message>
    <message>
        <source>final:</source>
        <translation>endgültig:</translation>
    </message>
    <message>
        <source>open</source>
        <translation>offen</translation>
    </message>
    <message>
        <source>By the lead</source>
        <translation>Laut Prüfleitung</translation>
    </message>
    <message>
        <source>wrong</source>
        <translation>falsch</translation>
    </message>
    <message>
        <source>accepted</source>
        <translation>angenommen</translation>
    </message>
    <message>
        <source>No rating differs from a final label or is wrong.</source>
        <translation>Keine Bewertung ist falsch oder weicht von einem endgültigen Ergebnis ab.</translation>
    </message>
    <message>
        <source>Systems</source>
        <translation>Systeme</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>What the systems wrote</source>
        <translation>Was die Systeme geschrieben haben</translation>
    </message>
    <message>
        <source>95 % intervals, bootstrap over prompts</source>
        <translation>95-%-Intervalle, Bootstrap über Anfragen</translation>
    </message>
    <message>
        <source>95 % intervals over prompts and raters</source>
        <translation>95-%-Intervalle über Anfragen und Bewertende</translation>
    </message>
    <message>
        <source>Rests on {tasks}, {places}, {raters}</source>
        <translation>Grundlage: {tasks}, {places}, {raters}</translation>
    </message>
    <message>
        <source>no gain</source>
        <translation>kein Gewinn</translation>
    </message>
    <message>
        <source>as if {n} % more tasks had been judged</source>
        <translation>wie mit {n} % mehr beurteilten Aufgaben</translation>
    </message>
    <message>
        <source>{n} of {of} prompts</source>
        <translation>{n} von {of} Anfragen</translation>
    </message>
    <message>
        <source>{ahead} is better than {behind} in {title}, by {value} (95 % interval {low} to {high}).</source>
        <translation>{ahead} ist bei {title} um {value} besser als {behind} (95-%-Intervall {low} bis {high}).</translation>
    </message>
    <message>
        <source>{ahead} is ahead of {behind} in {title} by {value}, but not shown to be better: the data allow {low} to {high}.</source>
        <translation>{ahead} liegt bei {title} um {value} vor {behind}, ist aber nicht nachweislich besser: Möglich sind {low} bis {high}.</translation>
    </message>
    <message>
        <source>{ahead} is ahead of {behind} in {title} by {value} ({low} to {high}), but among {n} such a difference may be chance.</source>
        <translation>{ahead} liegt bei {title} um {value} vor {behind} ({low} bis {high}), doch unter {n} kann das Zufall sein.</translation>
    </message>
    <message>
        <source>{ahead} is ahead of {behind} in {title} by {value} ({low} to {high}), but not if final labels are wrong as often as their votes allow.</source>
        <translation>{ahead} liegt bei {title} um {value} vor {behind} ({low} bis {high}), aber nicht, wenn endgültige Ergebnisse so oft falsch sind, wie ihre Stimmen zulassen.</translation>
    </message>
    <message>
        <source>{ahead} is ahead of {behind} in {title}, but how sure that is cannot be said: {why}.</source>
        <translation>{ahead} liegt bei {title} vor {behind}; wie sicher das ist, lässt sich nicht sagen: {why}.</translation>
    </message>
    <message>
        <source>{ahead} and {behind} cannot be compared in {title}: {why}.</source>
        <translation>{ahead} und {behind} lassen sich bei {title} nicht vergleichen: {why}.</translation>
    </message>
    <message>
        <source>{ahead} and {behind} are equal in {title}, as far as can be seen.</source>
        <translation>{ahead} und {behind} sind bei {title} gleich, soweit zu sehen ist.</translation>
    </message>
    <message>
        <source>{ahead} is higher than {behind} in {title}, by {value} (95 % interval {low} to {high}); which is better is for you to say.</source>
        <translation>{ahead} liegt bei {title} um {value} höher als {behind} (95-%-Intervall {low} bis {high}); was besser ist, entscheiden Sie.</translation>
    </message>
    <message>
        <source>{ahead} is preferred to {behind} in {value} of 100 pairs (95 % interval {low} to {high}{adjusted}).</source>
        <translation>{ahead} wird {behind} in {value} von 100 Paaren vorgezogen (95-%-Intervall {low} bis {high}{adjusted}).</translation>
    </message>
    <message>
        <source>{ahead} is preferred to {behind} in {value} of 100 pairs ({low} to {high}), but not if final labels are wrong as often as their votes allow.</source>
        <translation>{ahead} wird {behind} in {value} von 100 Paaren vorgezogen ({low} bis {high}), aber nicht, wenn endgültige Ergebnisse so oft falsch sind, wie ihre Stimmen zulassen.</translation>
    </message>
    <message>
        <source>{ahead} is preferred to {behind} in {value} of 100 pairs, but not shown to be better: the data allow {low} to {high}, and 50 is even.</source>
        <translation>{ahead} wird {behind} in {value} von 100 Paaren vorgezogen, ist aber nicht nachweislich besser: Möglich sind {low} bis {high}, und 50 ist gleichauf.</translation>
    </message>
    <message>
        <source>That is good enough to decide: chance alone rarely does it ({p}{adjusted}).</source>
        <translation>Das ist gut genug für eine Entscheidung: Zufall allein bewirkt es selten ({p}{adjusted}).</translation>
    </message>
    <message>
        <source>That is good enough to decide: the interval leaves out 50.</source>
        <translation>Das ist gut genug für eine Entscheidung: Das Intervall enthält 50 nicht.</translation>
    </message>
    <message>
        <source>That is not enough to decide between the two.</source>
        <translation>Das reicht nicht, um zwischen den beiden zu entscheiden.</translation>
    </message>
    <message>
        <source>To decide, no more ratings are needed; with another {cost} the difference would be known to ± {half}.</source>
        <translation>Für die Entscheidung sind keine weiteren Bewertungen nötig; mit {cost} mehr wäre der Unterschied auf ± {half} bekannt.</translation>
    </message>
    <message>
        <source>To decide, no more ratings are needed.</source>
        <translation>Für die Entscheidung sind keine weiteren Bewertungen nötig.</translation>
    </message>
    <message>
        <source>If the difference stays, another {cost} would tell them apart.</source>
        <translation>Bleibt der Unterschied, würden {cost} mehr die beiden unterscheiden.</translation>
    </message>
    <message>
        <source>Decide the places with close votes yourself, or have more raters judge them.</source>
        <translation>Entscheiden Sie die Stellen mit knappen Stimmen selbst, oder lassen Sie mehr Bewertende darüber urteilen.</translation>
    </message>
    <message>
        <source>More prompts are unlikely to tell them apart: decide by other figures, such as cost.</source>
        <translation>Weitere Anfragen werden sie kaum unterscheiden: Entscheiden Sie nach anderen Größen, etwa den Kosten.</translation>
    </message>
    <message>
        <source>Have more prompts rated, until there is an interval.</source>
        <translation>Lassen Sie weitere Anfragen bewerten, bis es ein Intervall gibt.</translation>
    </message>
    <message>
        <source>{prompts} ({ratings} ratings, as many for each as now)</source>
        <translation>{prompts} ({ratings} Bewertungen, je Anfrage so viele wie jetzt)</translation>
    </message>
    <message>
        <source>“{title}” (lower is better)</source>
        <translation>„{title}“ (niedriger ist besser)</translation>
    </message>
    <message>
        <source>“{title}”</source>
        <translation>„{title}“</translation>
    </message>
    <message>
        <source>, adjusted for {n}</source>
        <translation>, angepasst für {n}</translation>
    </message>
    <message>
        <source>{count} of {of} judgements (the fewest)</source>
        <translation>{count} von {of} Urteilen (die wenigsten)</translation>
    </message>
    <message>
        <source>at most {count} of {of} judgements</source>
        <translation>höchstens {count} von {of} Urteilen</translation>
    </message>
    <message>
        <source>{count} of {of} raters (the fewest)</source>
        <translation>{count} von {of} Bewertenden (die wenigsten)</translation>
    </message>
    <message>
        <source>at most {count} of {of} raters</source>
        <translation>höchstens {count} von {of} Bewertenden</translation>
    </message>
    <message>
        <source>To put {behind} ahead, {judgements} would have to be removed, or {raters}.</source>
        <translation>Damit {behind} vorn liegt, müssten {judgements} wegfallen, oder {raters}.</translation>
    </message>
    <message>
        <source>To put {behind} ahead, {judgements} would have to be removed; no choice of raters was found that does it.</source>
        <translation>Damit {behind} vorn liegt, müssten {judgements} wegfallen; eine Auswahl von Bewertenden, die das bewirkt, wurde nicht gefunden.</translation>
    </message>
    <message>
        <source>To put {behind} ahead, {raters} would have to be removed; no choice of judgements was found that does it.</source>
        <translation>Damit {behind} vorn liegt, müssten {raters} wegfallen; eine Auswahl von Urteilen, die das bewirkt, wurde nicht gefunden.</translation>
    </message>
    <message>
        <source>No judgements or raters were found whose removal puts {behind} ahead.</source>
        <translation>Es wurden keine Urteile oder Bewertenden gefunden, ohne die {behind} vorn läge.</translation>
    </message>
    <message>
        <source>{title}: {value} %, known to ± {half} points, precise enough to report and to plan with (limit of ± {limit} points: this project’s).</source>
        <translation>{title}: {value} %, bekannt auf ± {half} Punkte, genau genug für Bericht und Planung (Grenze von ± {limit} Punkten: dieses Programms).</translation>
    </message>
    <message>
        <source>{title}: {value} %, known only to ± {half} points: a first impression, too coarse to report without its interval.</source>
        <translation>{title}: {value} %, nur auf ± {half} Punkte bekannt: ein erster Eindruck, ohne Intervall zu grob für einen Bericht.</translation>
    </message>
    <message>
        <source>{title}: {value}; the data allow {low} to {high}.</source>
        <translation>{title}: {value}; möglich sind {low} bis {high}.</translation>
    </message>
    <message>
        <source>{title}: preferred to another system with a chance of {value}; the data allow {low} to {high}.</source>
        <translation>{title}: wird einem anderen System mit der Wahrscheinlichkeit {value} vorgezogen; möglich sind {low} bis {high}.</translation>
    </message>
    <message>
        <source>{title}: {value}; it has no interval, and says nothing beyond these responses: {why}.</source>
        <translation>{title}: {value}; ohne Intervall sagt es über diese Antworten hinaus nichts: {why}.</translation>
    </message>
    <message>
        <source>{title}: no value, and nothing follows: {why}.</source>
        <translation>{title}: kein Wert, und nichts folgt daraus: {why}.</translation>
    </message>
    <message>
        <source>{title}: {value}; good enough to decide, since the interval {low} to {high} leaves out {even}.</source>
        <translation>{title}: {value}; gut genug für eine Entscheidung, da das Intervall {low} bis {high} {even} nicht enthält.</translation>
    </message>
    <message>
        <source>{title}: {value}; not enough to decide, since the interval {low} to {high} includes {even}.</source>
        <translation>{title}: {value}; nicht genug für eine Entscheidung, da das Intervall {low} bis {high} {even} enthält.</translation>
    </message>
    <message>
        <source>{title}: {value}; not enough to decide: among so many pairs it may be chance ({p}).</source>
        <translation>{title}: {value}; nicht genug für eine Entscheidung: Unter so vielen Paaren kann es Zufall sein ({p}).</translation>
    </message>
    <message>
        <source>{title}: {value}; not enough to decide: {low} to {high} leaves out {even}, but not if final labels are wrong.</source>
        <translation>{title}: {value}; reicht nicht für eine Entscheidung: {low} bis {high} schließt {even} aus, aber nicht, wenn endgültige Ergebnisse falsch sind.</translation>
    </message>
    <message>
        <source>{title}: {value}; the place matters, since {low} to {high} leaves out 0.5. Show each system first equally often.</source>
        <translation>{title}: {value}; der Platz wirkt sich aus, da {low} bis {high} 0,5 nicht enthält. Zeigen Sie jedes System gleich oft zuerst.</translation>
    </message>
    <message>
        <source>{title}: {value}; no advantage of a place is shown, since {low} to {high} includes 0.5.</source>
        <translation>{title}: {value}; ein Vorteil eines Platzes ist nicht gezeigt, da {low} bis {high} 0,5 enthält.</translation>
    </message>
    <message>
        <source>{title}: {value}; no advantage of a place is shown, since final labels may be wrong.</source>
        <translation>{title}: {value}; ein Vorteil eines Platzes ist nicht nachgewiesen, da endgültige Ergebnisse falsch sein können.</translation>
    </message>
    <message>
        <source>{n} points</source>
        <translation>{n} Punkte</translation>
    </message>
    <message>
        <source>{n} prompts</source>
        <translation>{n} Anfragen</translation>
    </message>
    <message>
        <source>Shown first</source>
        <translation>Zuerst gezeigt</translation>
    </message>
    <message>
        <source>1 prompt</source>
        <translation>1 Anfrage</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>Anfragen</translation>
    </message>
    <message>
        <source>Places without a final label, in no figure: {n}.</source>
        <translation>Stellen ohne endgültiges Ergebnis, die in keine Kennzahl eingehen: {n}.</translation>
    </message>
    <message>
        <source>Severe errors per response</source>
        <translation>Schwere Fehler je Antwort</translation>
    </message>
    <message>
        <source>Responses without an error</source>
        <translation>Antworten ohne Fehler</translation>
    </message>
    <message>
        <source>Token F1</source>
        <translation>Token-F1</translation>
    </message>
    <message>
        <source>mean of the final labels of targets</source>
        <translation>Mittel der endgültigen Ergebnisse der Stellen</translation>
    </message>
    <message>
        <source>mean of the final labels of responses</source>
        <translation>Mittel der endgültigen Ergebnisse der Antworten</translation>
    </message>
    <message>
        <source>mean of the final labels of tasks</source>
        <translation>Mittel der endgültigen Ergebnisse der Aufgaben</translation>
    </message>
    <message>
        <source>Also holding that final labels may be wrong: {low} to {high} (known at {measured} of {places} places).</source>
        <translation>Auch dafür, dass endgültige Ergebnisse falsch sein können: {low} bis {high} (bekannt an {measured} von {places} Stellen).</translation>
    </message>
    <message>
        <source>Wider intervals (thin lines) also hold that final labels may be wrong; how often is known where two people or more decided, at {measured} of {places} places.</source>
        <translation>Weitere Intervalle (dünne Linien) berücksichtigen auch, dass endgültige Ergebnisse falsch sein können; wie oft, ist bekannt, wo zwei oder mehr Personen entschieden haben: an {measured} von {places} Stellen.</translation>
    </message>
    <message>
        <source>{part} of {whole}</source>
        <translation>{part} von {whole}</translation>
    </message>
    <message>
        <source>{part} in {whole}</source>
        <translation>{part} in {whole}</translation>
    </message>
    <message>
        <source>Preferred, side by side</source>
        <translation>Bevorzugt im Paarvergleich</translation>
    </message>
    <message>
        <source>{pairs} pairs of {prompts} prompts, {raters}</source>
        <translation>{pairs} Paare zu {prompts} Anfragen, {raters}</translation>
    </message>
    <message>
        <source>No figures by people and {model} together: {why}.</source>
        <translation>Keine gemeinsamen Kennzahlen von Menschen und {model}: {why}.</translation>
    </message>
    <message>
        <source>{n} pairs</source>
        <translation>{n} Paare</translation>
    </message>
    <message>
        <source>even</source>
        <translation>gleich</translation>
    </message>
    <message>
        <source>{one} : {other}</source>
        <translation>{one} : {other}</translation>
    </message>
    <message>
        <source>{one} against {other}: {wins} preferred, {ties} ties, {losses} the other; share {share}</source>
        <translation>{one} gegen {other}: {wins}-mal bevorzugt, {ties}-mal Gleichstand, {losses}-mal das andere; Gewinnanteil {share}</translation>
    </message>
    <message>
        <source>The response shown first was preferred in {share} ({interval}).</source>
        <translation>Anteil, zu dem die zuerst gezeigte Antwort bevorzugt wurde: {share} ({interval}).</translation>
    </message>
    <message>
        <source>The response shown first was preferred in {share}.</source>
        <translation>Anteil, zu dem die zuerst gezeigte Antwort bevorzugt wurde: {share}.</translation>
    </message>
    <message>
        <source>{n} pairs have no final preference.</source>
        <translation>Paare ohne endgültige Präferenz: {n}.</translation>
    </message>
    <message>
        <source>Preferred</source>
        <translation>Bevorzugt</translation>
    </message>
    <message>
        <source>Ties</source>
        <translation>Gleichstände</translation>
    </message>
    <message>
        <source>Other preferred</source>
        <translation>Anderes bevorzugt</translation>
    </message>
    <message>
        <source>Pairs</source>
        <translation>Paare</translation>
    </message>
    <message>
        <source>Defect rate by risk</source>
        <translation>Mängelquote nach Risiko</translation>
    </message>
    <message>
        <source>share of judged targets</source>
        <translation>Anteil der beurteilten Stellen</translation>
    </message>
    <message>
        <source>share of judged responses</source>
        <translation>Anteil der beurteilten Antworten</translation>
    </message>
    <message>
        <source>share of judged tasks</source>
        <translation>Anteil der beurteilten Aufgaben</translation>
    </message>
    <message>
        <source>mean of responses with a reference</source>
        <translation>Mittel der Antworten mit Referenz</translation>
    </message>
    <message>
        <source>severe: {values}</source>
        <translation>schwer: {values}</translation>
    </message>
    <message>
        <source>{tasks} of {prompts}</source>
        <translation>{tasks} von {prompts}</translation>
    </message>
    <message>
        <source>errors: {values}</source>
        <translation>Fehler: {values}</translation>
    </message>
    <message>
        <source>{title} ({about})</source>
        <translation>{title} ({about})</translation>
    </message>
    <message>
        <source>{n} judgements</source>
        <translation>{n} Urteile</translation>
    </message>
    <message>
        <source>Raters saw pairs in different orders: dots, and the share of the first place, rest on {n} single judgements, each in the order in which it was seen. Bars rest on final labels.</source>
        <translation>Paare wurden in verschiedener Reihenfolge gesehen: Punkte und der Anteil des ersten Platzes beruhen auf {n} einzelnen Urteilen, jedes in der gesehenen Reihenfolge. Balken beruhen auf endgültigen Ergebnissen.</translation>
    </message>
    <message>
        <source>share of judged responses with a level {values}</source>
        <translation>Anteil der beurteilten Antworten mit Stufe {values}</translation>
    </message>
    <message>
        <source>No defect among few responses does not mean that there are none.</source>
        <translation>Kein Mangel in wenigen Antworten heißt nicht, dass es keine gibt.</translation>
    </message>
    <message>
        <source>Other judgements</source>
        <translation>Weitere Beurteilungen</translation>
    </message>
    <message>
        <source>means, and shares of each answer</source>
        <translation>Mittelwerte und Anteile jeder Antwort</translation>
    </message>
    <message>
        <source>Dots: probability of being preferred to another system (Bradley–Terry, ties after Davidson), without the advantage of the first place. Bars, from left to right: preferred, tied (grey), the other preferred; then the share of the first, ties as half, with its interval.</source>
        <translation>Punkte: Wahrscheinlichkeit, einem anderen System vorgezogen zu werden (Bradley–Terry, Gleichstände nach Davidson), ohne den Vorteil des ersten Platzes. Balken, von links nach rechts: bevorzugt, Gleichstand (grau), das andere bevorzugt; dann der Anteil des ersten, Gleichstände halb, mit seinem Intervall.</translation>
    </message>
    <message>
        <source>Differences between systems</source>
        <translation>Systeme im Vergleich</translation>
    </message>
    <message>
        <source>{metric}; p after Holm, {n} compared</source>
        <translation>{metric}; p nach Holm, {n} Vergleiche</translation>
    </message>
    <message>
        <source>{one} − {other}</source>
        <translation>{one} − {other}</translation>
    </message>
    <message>
        <source>points</source>
        <translation>Prozentpunkte</translation>
    </message>
    <message>
        <source>p = {p}</source>
        <translation>p = {p}</translation>
    </message>
    <message>
        <source>p &lt; {p}</source>
        <translation>p &lt; {p}</translation>
    </message>
    <message>
        <source>raters disagree {rest} % as much as they would by chance</source>
        <translation>Bewertende weichen {rest} % so stark voneinander ab wie bei Zufall</translation>
    </message>
    <message>
        <source>{percent} % of the differences between ratings are those between places</source>
        <translation>{percent} % der Unterschiede zwischen Bewertungen sind solche zwischen Stellen</translation>
    </message>
    <message>
        <source>two ratings of one place are equal in {percent} of 100 cases, chance included</source>
        <translation>zwei Bewertungen einer Stelle sind in {percent} von 100 Fällen gleich, Zufall eingeschlossen</translation>
    </message>
    <message>
        <source>{percent} % of the differences between means of all raters are those between places</source>
        <translation>{percent} % der Unterschiede zwischen Mitteln aller Bewertenden sind solche zwischen Stellen</translation>
    </message>
    <message>
        <source>the average answer</source>
        <translation>die mittlere Antwort</translation>
    </message>
    <message>
        <source>so many steps apart are places, as a standard deviation</source>
        <translation>so viele Stufen liegen Stellen auseinander, als Standardabweichung</translation>
    </message>
    <message>
        <source>so many steps apart are raters, as a standard deviation</source>
        <translation>so viele Stufen liegen Bewertende auseinander, als Standardabweichung</translation>
    </message>
    <message>
        <source>so many steps remain that neither place nor rater explains</source>
        <translation>so viele Stufen erklären weder Stelle noch Bewertende</translation>
    </message>
    <message>
        <source>so many raters of each place make their mean this reliable</source>
        <translation>so viele Bewertende je Stelle machen ihr Mittel so zuverlässig</translation>
    </message>
    <message>
        <source>where answers turn to the next step</source>
        <translation>wo Antworten zur nächsten Stufe wechseln</translation>
    </message>
    <message>
        <source>so far apart are places in the model of the scale</source>
        <translation>so weit liegen Stellen im Modell der Skala auseinander</translation>
    </message>
    <message>
        <source>good enough to publish and to decide by: even its lower end, {low}, reaches {good} ({source})</source>
        <translation>gut genug für Veröffentlichung und Entscheidung: Sogar das untere Ende, {low}, erreicht {good} ({source})</translation>
    </message>
    <message>
        <source>good enough for tentative conclusions: its lower end, {low}, reaches {fair}, but not {good} ({source})</source>
        <translation>gut genug für vorläufige Schlüsse: Das untere Ende, {low}, erreicht {fair}, aber nicht {good} ({source})</translation>
    </message>
    <message>
        <source>not shown to be enough to publish or to decide by: {fair} is between {low} and {high} ({source})</source>
        <translation>nicht nachweislich genug für Veröffentlichung oder Entscheidung: {fair} liegt zwischen {low} und {high} ({source})</translation>
    </message>
    <message>
        <source>not enough to publish or to decide by: even its upper end, {high}, is below {fair} ({source})</source>
        <translation>nicht genug für Veröffentlichung oder Entscheidung: Sogar das obere Ende, {high}, liegt unter {fair} ({source})</translation>
    </message>
    <message>
        <source>the data allow {low} to {high}; there is no published limit for it</source>
        <translation>möglich sind {low} bis {high}; eine veröffentlichte Grenze gibt es dafür nicht</translation>
    </message>
    <message>
        <source>without an interval it supports no conclusion: {why}</source>
        <translation>ohne Intervall stützt es keinen Schluss: {why}</translation>
    </message>
    <message>
        <source>{title} {value}: {what}; {verdict}.</source>
        <translation>{title} {value}: {what}; {verdict}.</translation>
    </message>
    <message>
        <source>{title} has no value, and nothing follows: {why}.</source>
        <translation>{title} hat keinen Wert, und nichts folgt daraus: {why}.</translation>
    </message>
    <message>
        <source>nearly all ratings are equal, and no coefficient is defined then</source>
        <translation>fast alle Bewertungen sind gleich, und dann ist kein Koeffizient definiert</translation>
    </message>
    <message>
        <source>{percent} % of the ratings have one label: with rare labels α and κ are low even where raters agree (Feinstein, Cicchetti 1990; limit of 90 %: this project’s)</source>
        <translation>{percent} % der Bewertungen haben dieselbe Einstufung: Bei seltenen Einstufungen sind α und κ auch dann niedrig, wenn Bewertende übereinstimmen (Feinstein, Cicchetti 1990; Grenze von 90 %: dieses Programms)</translation>
    </message>
    <message>
        <source>{percent} % of the ratings have one step: α is low then even where raters agree, and AC2 counts near steps in part (Gwet 2014)</source>
        <translation>{percent} % der Bewertungen haben dieselbe Stufe: Dann ist α auch bei Übereinstimmung niedrig, und AC2 zählt nahe Stufen teilweise (Gwet 2014)</translation>
    </message>
    <message>
        <source>the interval of α is not reliable here, that of AC1 is (Gwet 2008)</source>
        <translation>das Intervall von α ist hier nicht verlässlich, das von AC1 schon (Gwet 2008)</translation>
    </message>
    <message>
        <source>there are two raters and {labels} labels without an order (Cohen 1960)</source>
        <translation>es gibt zwei Bewertende und {labels} Einstufungen ohne Ordnung (Cohen 1960)</translation>
    </message>
    <message>
        <source>there are two raters, and near steps count in part (Cohen 1968)</source>
        <translation>es gibt zwei Bewertende, und nahe Stufen zählen teilweise (Cohen 1968)</translation>
    </message>
    <message>
        <source>near steps count in part, for {raters} and with gaps (Krippendorff 2004)</source>
        <translation>nahe Stufen zählen teilweise, bei {raters} und mit Lücken (Krippendorff 2004)</translation>
    </message>
    <message>
        <source>there are {labels} labels without an order and {raters}, and it allows for gaps (Krippendorff 2004)</source>
        <translation>es gibt {labels} Einstufungen ohne Ordnung und {raters}, und es erlaubt Lücken (Krippendorff 2004)</translation>
    </message>
    <message>
        <source>That needs no more ratings; with another {cost} it would be known to ± {half}.</source>
        <translation>Dafür sind keine weiteren Bewertungen nötig; mit {cost} mehr wäre es auf ± {half} bekannt.</translation>
    </message>
    <message>
        <source>If the value stays, another {cost} would show that it reaches {limit}.</source>
        <translation>Bleibt der Wert, würden {cost} mehr zeigen, dass er {limit} erreicht.</translation>
    </message>
    <message>
        <source>With another {cost} it would be known to ± {half}.</source>
        <translation>Mit {cost} mehr wäre es auf ± {half} bekannt.</translation>
    </message>
    <message>
        <source>More tasks do not raise it: read the places with most disagreement, clarify the guidelines, and have them rated again.</source>
        <translation>Mehr Aufgaben erhöhen es nicht: Lesen Sie die Stellen mit der größten Uneinigkeit, klären Sie die Leitlinie, und lassen Sie sie erneut bewerten.</translation>
    </message>
    <message>
        <source>It is too close to {limit}: even {times} times as many tasks would not settle it.</source>
        <translation>Es liegt zu nahe an {limit}: Auch {times}-mal so viele Aufgaben würden das nicht klären.</translation>
    </message>
    <message>
        <source>Have more tasks rated by two raters or more, until it has an interval.</source>
        <translation>Lassen Sie mehr Aufgaben von mindestens zwei Bewertenden bewerten, bis es ein Intervall gibt.</translation>
    </message>
    <message>
        <source>Active minutes: half of the tasks took less than the first, nine of ten less than the second.</source>
        <translation>Aktive Minuten: Die Hälfte der Aufgaben dauerte kürzer als der erste Wert, neun von zehn kürzer als der zweite.</translation>
    </message>
    <message>
        <source>Pages recorded for each claim; few may be enough.</source>
        <translation>Seiten je Aussage; wenige können genügen.</translation>
    </message>
    <message>
        <source>Pages that the rater recorded and did not open in this program.</source>
        <translation>Belege, deren Seiten in diesem Programm nicht geöffnet wurden.</translation>
    </message>
    <message>
        <source>Warnings of rules that were exported without a word.</source>
        <translation>Warnungen von Regeln, die unbestätigt exportiert wurden.</translation>
    </message>
    <message>
        <source>1: always as the others; 0: as by chance. A low value shows a difference, not who is right: it is no reason to pay less before you have read the places.</source>
        <translation>1: immer wie die anderen; 0: wie zufällig. Ein niedriger Wert zeigt einen Unterschied, nicht, wer recht hat: Er ist kein Grund, weniger zu bezahlen, bevor Sie die Stellen gelesen haben.</translation>
    </message>
    <message>
        <source>Share of answers equal to gold. Compare whole intervals, and read the places, before it decides about pay.</source>
        <translation>Anteil der Antworten, die der Musterantwort gleichen. Vergleichen Sie ganze Intervalle und lesen Sie die Stellen, bevor es über Bezahlung entscheidet.</translation>
    </message>
    <message>
        <source>Share of equal answers when a task came a second time.</source>
        <translation>Anteil gleicher Antworten, wenn eine Aufgabe ein zweites Mal kam.</translation>
    </message>
    <message>
        <source>Mean score of the written justifications, by a model or a person.</source>
        <translation>Mittlere Note der geschriebenen Begründungen, von einem Modell oder einem Menschen.</translation>
    </message>
    <message>
        <source>How much higher the rater grades than others at the same places. If the interval includes 0, no difference is shown.</source>
        <translation>Um wie viel höher als andere an denselben Stellen bewertet wird. Enthält das Intervall 0, ist kein Unterschied gezeigt.</translation>
    </message>
    <message>
        <source>The same by a model of the scale: higher for lower grades.</source>
        <translation>Dasselbe nach einem Modell der Skala: höher bei niedrigeren Noten.</translation>
    </message>
    <message>
        <source>1 as the model expects; above 1.5 the grades follow no order.</source>
        <translation>1 wie vom Modell erwartet; über 1,5 folgen die Noten keiner Ordnung.</translation>
    </message>
    <message>
        <source>Share of people’s answers that the model gives too.</source>
        <translation>Anteil der Antworten von Menschen, die auch das Modell gibt.</translation>
    </message>
    <message>
        <source>Agreement of the model with people. Compare it with α among the people.</source>
        <translation>Übereinstimmung des Modells mit Menschen. Vergleichen Sie sie mit α unter den Menschen.</translation>
    </message>
    <message>
        <source>Share of raters that the model could replace, by the alternative annotator test.</source>
        <translation>Anteil der Bewertenden, die das Modell nach dem Test der alternativen Annotierenden ersetzen könnte.</translation>
    </message>
    <message>
        <source>Change of agreement in a week; an interval with 0 shows none.</source>
        <translation>Änderung der Übereinstimmung in einer Woche; ein Intervall mit 0 zeigt keine.</translation>
    </message>
    <message>
        <source>0.8: a task takes a fifth less after twice as many.</source>
        <translation>0,8: Eine Aufgabe dauert nach doppelt so vielen ein Fünftel kürzer.</translation>
    </message>
    <message>
        <source>p</source>
        <translation>p</translation>
    </message>
    <message>
        <source>How often chance alone makes a difference as large as this. Below 0.05 counts by convention.</source>
        <translation>Wie oft Zufall allein einen so großen Unterschied bewirkt. Unter 0,05 zählt nach Übereinkunft.</translation>
    </message>
    <message>
        <source>p, Holm</source>
        <translation>p, Holm</translation>
    </message>
    <message>
        <source>The same, raised because several pairs were looked at (Holm 1979).</source>
        <translation>Dasselbe, erhöht, weil mehrere Paare betrachtet wurden (Holm 1979).</translation>
    </message>
    <message>
        <source>Shared prompts</source>
        <translation>Gemeinsame Anfragen</translation>
    </message>
    <message>
        <source>Prompts that both answered; only these are compared directly.</source>
        <translation>Anfragen, die beide beantwortet haben; nur diese werden direkt verglichen.</translation>
    </message>
    <message>
        <source>Share of labels equal to the final ones, which the rater’s own vote helped to decide.</source>
        <translation>Anteil der Einstufungen, die den endgültigen gleichen; die eigene Stimme hat diese mitentschieden.</translation>
    </message>
    <message>
        <source>Figures that chance alone rarely explains. Read the places before they decide about pay.</source>
        <translation>Größen, die Zufall allein selten erklärt. Lesen Sie die Stellen, bevor sie über Bezahlung entscheiden.</translation>
    </message>
    <message>
        <source>With 95 % confidence no more than this is wrong, if the rate stays.</source>
        <translation>Bleibt die Quote, ist mit 95 % Sicherheit nicht mehr als dies falsch.</translation>
    </message>
    <message>
        <source>no data</source>
        <translation>keine Daten</translation>
    </message>
    <message>
        <source>{tasks} ({ratings} ratings, about {hours} h)</source>
        <translation>{tasks} ({ratings} Bewertungen, etwa {hours} h)</translation>
    </message>
    <message>
        <source>{tasks} ({ratings} ratings)</source>
        <translation>{tasks} ({ratings} Bewertungen)</translation>
    </message>
    <message>
        <source>Quote {title}, because {reason}.</source>
        <translation>Nennen Sie {title}: {reason}.</translation>
    </message>
    <message>
        <source>Good enough to accept and to pay the work by this goal.</source>
        <translation>Nach diesem Ziel gut genug, um die Arbeit anzunehmen und zu bezahlen.</translation>
    </message>
    <message>
        <source>Not good enough to accept or to pay the work by this goal: send back what is wrong.</source>
        <translation>Nach diesem Ziel nicht gut genug, um die Arbeit anzunehmen oder zu bezahlen: Geben Sie zurück, was falsch ist.</translation>
    </message>
    <message>
        <source>Not yet a reason to accept the work, nor to refuse it or its pay.</source>
        <translation>Noch kein Grund, die Arbeit anzunehmen, und keiner, sie oder ihre Bezahlung abzulehnen.</translation>
    </message>
    <message>
        <source>Nothing follows yet about accepting or paying the work.</source>
        <translation>Daraus folgt noch nichts für Annahme oder Bezahlung.</translation>
    </message>
    <message>
        <source>No more places are needed for it.</source>
        <translation>Dafür sind keine weiteren Stellen nötig.</translation>
    </message>
    <message>
        <source>More places would not change that; draw a new sample after the rework.</source>
        <translation>Weitere Stellen würden das nicht ändern; ziehen Sie nach der Nacharbeit eine neue Stichprobe.</translation>
    </message>
    <message>
        <source>First judge the {n} that are drawn.</source>
        <translation>Beurteilen Sie zuerst die {n} gezogenen.</translation>
    </message>
    <message>
        <source>If the rate stays, {n} more places judged would show the goal.</source>
        <translation>Bleibt die Quote, zeigen {n} weitere beurteilte Stellen das Ziel.</translation>
    </message>
    <message>
        <source>If the rate stays, no number of places shows the goal: a higher goal, or rework, is needed.</source>
        <translation>Bleibt die Quote, zeigt keine Zahl von Stellen das Ziel: Nötig ist ein höheres Ziel oder Nacharbeit.</translation>
    </message>
    <message>
        <source>Draw a random sample of {n} places, and judge it: if nothing is wrong, that shows the goal.</source>
        <translation>Ziehen Sie eine Zufallsstichprobe von {n} Stellen und beurteilen Sie sie: Ist nichts falsch, ist das Ziel gezeigt.</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Unterschied</translation>
    </message>
    <message>
        <source>{after} against {before}, the same tasks</source>
        <translation>{after} gegen {before}, dieselben Aufgaben</translation>
    </message>
    <message>
        <source>{n} tasks rated in both rounds</source>
        <translation>{n} in beiden Runden bewertete Aufgaben</translation>
    </message>
    <message>
        <source>Only in one round: {after} later tasks, {before} earlier ones.</source>
        <translation>Nur in einer Runde: {after} spätere Aufgaben, {before} frühere.</translation>
    </message>
    <message>
        <source>{better} turned better, {worse} worse</source>
        <translation>{better} besser geworden, {worse} schlechter</translation>
    </message>
    <message>
        <source>sign test, {p}</source>
        <translation>Vorzeichentest, {p}</translation>
    </message>
    <message>
        <source>{n} turned better</source>
        <translation>{n} besser</translation>
    </message>
    <message>
        <source>{n} the same</source>
        <translation>{n} gleich</translation>
    </message>
    <message>
        <source>{n} worse</source>
        <translation>{n} schlechter</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Nachher</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>later round</source>
        <translation>spätere Runde</translation>
    </message>
    <message>
        <source>One line is one task, most gained first. Ring: before. Dot: better. Square: worse.</source>
        <translation>Eine Linie ist eine Aufgabe, der größte Gewinn zuerst. Ring: vorher. Punkt: besser. Quadrat: schlechter.</translation>
    </message>
    <message>
        <source>Drawn: the {n} tasks that changed most.</source>
        <translation>Gezeichnet: die {n} Aufgaben mit der größten Änderung.</translation>
    </message>
    <message>
        <source>{metric}, per cent of each task</source>
        <translation>{metric}, Prozent je Aufgabe</translation>
    </message>
    <message>
        <source>{metric}, of each task</source>
        <translation>{metric}, je Aufgabe</translation>
    </message>
    <message>
        <source>not there</source>
        <translation>fehlt</translation>
    </message>
    <message>
        <source>{system}, {metric}: the places</source>
        <translation>{system}, {metric}: die Stellen</translation>
    </message>
    <message>
        <source>the first {n} of {total}</source>
        <translation>die ersten {n} von {total}</translation>
    </message>
    <message>
        <source>By people</source>
        <translation>Von Menschen</translation>
    </message>
    <message>
        <source>By people and {model}</source>
        <translation>Von Menschen und {model}</translation>
    </message>
    <message>
        <source>By people and a model together</source>
        <translation>Von Menschen und einem Modell gemeinsam</translation>
    </message>
    <message>
        <source>People judged a random sample of the tasks, the model all of them; intervals over prompts.</source>
        <translation>Menschen haben eine Zufallsstichprobe der Aufgaben beurteilt, das Modell alle; Intervalle über Anfragen.</translation>
    </message>
    <message>
        <source>Gain</source>
        <translation>Gewinn</translation>
    </message>
    <message>
        <source>Judged by people</source>
        <translation>Von Menschen beurteilt</translation>
    </message>
    <message>
        <source>{n} places</source>
        <translation>{n} Stellen</translation>
    </message>
    <message>
        <source>This figure counts no place.</source>
        <translation>Diese Kennzahl zählt keine Stelle.</translation>
    </message>
    <message>
        <source>Final label</source>
        <translation>Endgültiges Ergebnis</translation>
    </message>
    <message>
        <source>No place turned.</source>
        <translation>Keine Stelle hat sich geändert.</translation>
    </message>
    <message>
        <source>majority</source>
        <translation>Mehrheit</translation>
    </message>
    <message>
        <source>median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>No task names the system that wrote its response, so all responses are one group. Put it into the meta of the tasks: {&quot;system&quot;: &quot;Heron 2.1&quot;}, or for pairs one name for each response.</source>
        <translation>Keine Aufgabe nennt das System, von dem ihre Antwort stammt; alle Antworten bilden daher eine Gruppe. Der Name gehört in „meta“ der Aufgaben: {&quot;system&quot;: &quot;Heron 2.1&quot;}, bei Paaren ein Name je Antwort.</translation>
    </message>
    <message>
        <source>Text scores</source>
        <translation>Textwertungen</translation>
    </message>
    <message>
        <source>The lead’s grades against each way of scoring</source>
        <translation>Noten der Prüfleitung gegen jede Art der Wertung</translation>
    </message>
    <message>
        <source>a dot is a text; dashed: 0.5, which says nothing</source>
        <translation>ein Punkt ist ein Text; gestrichelt: 0,5, was nichts aussagt</translation>
    </message>
    <message>
        <source>lead’s grade</source>
        <translation>Note der Prüfleitung</translation>
    </message>
    <message>
        <source>How well each follows the lead</source>
        <translation>Wie gut jede der Prüfleitung folgt</translation>
    </message>
    <message>
        <source>{texts} texts, {raters} raters, {tasks} tasks</source>
        <translation>{texts} Texte, {raters} Bewertende, {tasks} Aufgaben</translation>
    </message>
    <message>
        <source>95 % intervals, bootstrap over tasks</source>
        <translation>95-%-Intervalle, Bootstrap über Aufgaben</translation>
    </message>
    <message>
        <source>95 % intervals over texts, for these {n} tasks only</source>
        <translation>95-%-Intervalle über Texte, nur für diese {n} Aufgaben</translation>
    </message>
    <message>
        <source>Way of scoring</source>
        <translation>Art der Wertung</translation>
    </message>
    <message>
        <source>Mean of points</source>
        <translation>Mittel der Punkte</translation>
    </message>
    <message>
        <source>Boldest of each topic</source>
        <translation>Gewagtester je Thema</translation>
    </message>
    <message>
        <source>Two largest topics</source>
        <translation>Zwei größte Themen</translation>
    </message>
    <message>
        <source>Boldest of two topics</source>
        <translation>Gewagtester, 2 Themen</translation>
    </message>
    <message>
        <source>Boldest point</source>
        <translation>Gewagtester Punkt</translation>
    </message>
    <message>
        <source>Recall of the gold</source>
        <translation>Trefferquote beim Muster</translation>
    </message>
    <message>
        <source>Model asked for a grade</source>
        <translation>Vom Modell erfragte Note</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>Vergleichsmodell</translation>
    </message>
    <message>
        <source>Spearman’s ρ</source>
        <translation>Spearmans ρ</translation>
    </message>
    <message>
        <source>Pearson’s r</source>
        <translation>Pearsons r</translation>
    </message>
    <message>
        <source>Kendall’s τ-b</source>
        <translation>Kendalls τ-b</translation>
    </message>
    <message>
        <source>Above the baseline</source>
        <translation>Über dem Vergleichsmodell</translation>
    </message>
    <message>
        <source>difference in ρ</source>
        <translation>Unterschied in ρ</translation>
    </message>
    <message>
        <source>Above the baseline by more than the interval: {ways}.</source>
        <translation>Um mehr als das Intervall über dem Vergleichsmodell: {ways}.</translation>
    </message>
    <message>
        <source>No way of scoring is above the baseline by more than its interval.</source>
        <translation>Keine Art der Wertung liegt um mehr als ihr Intervall über dem Vergleichsmodell.</translation>
    </message>
    <message>
        <source>{way}: about {n} texts would show it, if the difference stays.</source>
        <translation>{way}: Etwa {n} Texte würden es zeigen, wenn der Unterschied gleich bleibt.</translation>
    </message>
    <message>
        <source>No model has been asked for grades, so there is no baseline.</source>
        <translation>Kein Modell wurde nach Noten gefragt; es gibt daher kein Vergleichsmodell.</translation>
    </message>
    <message>
        <source>Without a value or a text: {names}</source>
        <translation>Ohne Wert oder ohne Text: {names}</translation>
    </message>
    <message>
        <source>Raters’ means against {criterion}</source>
        <translation>Mittelwerte der Bewertenden gegen {criterion}</translation>
    </message>
    <message>
        <source>95 % intervals, bootstrap over raters</source>
        <translation>95-%-Intervalle, Bootstrap über Bewertende</translation>
    </message>
    <message>
        <source>The lead’s grades</source>
        <translation>Noten der Prüfleitung</translation>
    </message>
    <message>
        <source>The same score for each text: {ways}.</source>
        <translation>Dieselbe Wertung für jeden Text: {ways}.</translation>
    </message>
    <message>
        <source>Your answers</source>
        <translation>Ihre Antworten</translation>
    </message>
    <message>
        <source>{model}, your points</source>
        <translation>{model}, Ihre Punkte</translation>
    </message>
    <message>
        <source>{model}, its own points</source>
        <translation>{model}, eigene Punkte</translation>
    </message>
    <message>
        <source>The model’s answers to points against the lead’s</source>
        <translation>Antworten zu Punkten: Modell und Prüfleitung</translation>
    </message>
    <message>
        <source>the model says that the text …</source>
        <translation>das Modell sagt, der Text …</translation>
    </message>
    <message>
        <source>Agrees</source>
        <translation>Stimmt zu</translation>
    </message>
    <message>
        <source>Silent</source>
        <translation>Schweigt</translation>
    </message>
    <message>
        <source>Disagrees</source>
        <translation>Widerspricht</translation>
    </message>
    <message>
        <source>lead: {lead}, model: {model}: {n}</source>
        <translation>Prüfleitung: {lead}, Modell: {model}: {n}</translation>
    </message>
    <message>
        <source>Error rate: {share}, of {n} answers about {texts} texts, {tasks} tasks.</source>
        <translation>Fehlerquote: {share}, von {n} Antworten zu {texts} Texten, {tasks} Aufgaben.</translation>
    </message>
    <message>
        <source>Inversions: {share}, of {n} where both take a side, {tasks} tasks.</source>
        <translation>Umkehrungen: {share}, von {n}, bei denen beide zustimmen oder widersprechen, {tasks} Aufgaben.</translation>
    </message>
    <message>
        <source>Inversions</source>
        <translation>Umkehrungen</translation>
    </message>
    <message>
        <source>Point</source>
        <translation>Punkt</translation>
    </message>
    <message>
        <source>Lead</source>
        <translation>Prüfleitung</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>The model never says the opposite of the lead.</source>
        <translation>Das Modell sagt nie das Gegenteil der Prüfleitung.</translation>
    </message>
    <message>
        <source>Texts where {way} and the lead part most</source>
        <translation>Texte, bei denen {way} und Prüfleitung am weitesten auseinanderliegen</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Rank above the lead’s</source>
        <translation>Rang über dem der Prüfleitung</translation>
    </message>
    <message>
        <source>A score follows the lead or does not; it does not judge a person.</source>
        <translation>Eine Wertung folgt der Prüfleitung oder nicht; über eine Person urteilt sie nicht.</translation>
    </message>
    <message>
        <source>Find a rater</source>
        <translation>Person suchen</translation>
    </message>
    <message>
        <source>all {n}</source>
        <translation>alle {n}</translation>
    </message>
    <message>
        <source>with a figure outside</source>
        <translation>mit Kennzahl außerhalb</translation>
    </message>
    <message>
        <source>fewer than 20 tasks</source>
        <translation>weniger als 20 Aufgaben</translation>
    </message>
    <message>
        <source>outside the band</source>
        <translation>außerhalb zuerst</translation>
    </message>
    <message>
        <source>name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>most tasks</source>
        <translation>meiste Aufgaben</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>Reihenfolge</translation>
    </message>
    <message>
        <source>Grade texts</source>
        <translation>Texte benoten</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>Priors as observed</source>
        <translation>A-priori beobachtet</translation>
    </message>
    <message>
        <source>Smoothed priors</source>
        <translation>A-priori geglättet</translation>
    </message>
    <message>
        <source>Priors</source>
        <translation>A-priori-Anteile</translation>
    </message>
    <message>
        <source>Intervals over tasks</source>
        <translation>Intervalle über Aufgaben</translation>
    </message>
    <message>
        <source>Intervals over texts</source>
        <translation>Intervalle über Texte</translation>
    </message>
    <message>
        <source>Intervals</source>
        <translation>Intervalle</translation>
    </message>
    <message>
        <source>You have graded no texts yet. Press E to grade some from 1 to 10, without seeing scores or authors. They come in random order, so you may stop at any time.</source>
        <translation>Sie haben noch keine Texte benotet. Mit E benoten Sie Texte von 1 bis 10, ohne Wertungen und Verfassende zu sehen. Die Reihenfolge ist zufällig; Sie können daher jederzeit aufhören.</translation>
    </message>
    <message>
        <source>The graded texts have no scores yet. Answer the points first, or let a model.</source>
        <translation>Die benoteten Texte haben noch keine Wertungen. Beantworten Sie zuerst die Punkte, oder überlassen Sie es einem Modell.</translation>
    </message>
    <message>
        <source>{n} of {total} texts graded · computed in {seconds} s, seed {seed}</source>
        <translation>{n} von {total} Texten benotet · berechnet in {seconds} s, Startwert {seed}</translation>
    </message>
    <message>
        <source>system</source>
        <translation>System</translation>
    </message>
    <message>
        <source>By</source>
        <translation>Nach</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>Against</source>
        <translation>Gegen</translation>
    </message>
    <message>
        <source>This screen shows what the systems wrote, by the final labels: shares, severe errors, preferences, and what changed between two versions.</source>
        <translation>Hier sehen Sie, was die Systeme geschrieben haben, nach den endgültigen Ergebnissen: Anteile, schwere Fehler, Präferenzen und was sich zwischen zwei Versionen geändert hat.</translation>
    </message>
    <message>
        <source>{title}: systems</source>
        <translation>{title}: Systeme</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>The figures were not computed.</source>
        <translation>Die Zahlen wurden nicht berechnet.</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>Berechnen</translation>
    </message>
    <message>
        <source>people have judged nearly everything: the model adds nothing</source>
        <translation>Menschen haben fast alles beurteilt: Das Modell trägt nichts bei</translation>
    </message>
    <message>
        <source>people have judged {n} tasks, and at least {least} are needed to add a model</source>
        <translation>Menschen haben {n} Aufgaben beurteilt; mit einem Modell braucht es mindestens {least}</translation>
    </message>
    <message>
        <source>the model&apos;s ratings of the judged tasks differ from those of the others: not a random sample</source>
        <translation>das Modell bewertet die beurteilten Aufgaben anders als die übrigen: keine Zufallsstichprobe</translation>
    </message>
    <message>
        <source>the combined value is out of range: too few tasks are judged</source>
        <translation>der gemeinsame Wert liegt außerhalb des Möglichen: Zu wenige Aufgaben sind beurteilt</translation>
    </message>
    <message>
        <source>the model has rated {n} of {of} tasks: it has to rate all</source>
        <translation>das Modell hat {n} von {of} Aufgaben bewertet: Es muss alle bewerten</translation>
    </message>
    <message>
        <source>nothing records that the tasks of {rater} were drawn at random</source>
        <translation>nichts belegt, dass die Aufgaben von {rater} zufällig gezogen wurden</translation>
    </message>
    <message>
        <source>{rater} has finished {n} of {of} drawn tasks: those left over may be unlike the others</source>
        <translation>{rater} hat {n} von {of} gezogenen Aufgaben abgeschlossen: Die übrigen können anders sein</translation>
    </message>
    <message>
        <source>the sample is drawn from {n} of {of} places: draw it again, now that the model has rated all</source>
        <translation>die Stichprobe ist aus {n} von {of} Stellen gezogen: Neu ziehen, da das Modell nun alle bewertet hat</translation>
    </message>
    <message>
        <source>the sample has a larger share of some kinds of places than of others</source>
        <translation>die Stichprobe enthält von manchen Arten von Stellen einen größeren Anteil als von anderen</translation>
    </message>
    <message>
        <source>{n} of {of} drawn places have no final label yet</source>
        <translation>von den gezogenen Stellen ({of}) haben noch kein endgültiges Ergebnis: {n}</translation>
    </message>
    <message>
        <source>the label of more than half of the raters; of scales the middle answer</source>
        <translation>die Einstufung von mehr als der Hälfte; bei Skalen die mittlere Antwort</translation>
    </message>
    <message>
        <source>the middle answer; labels without an order go by majority</source>
        <translation>die mittlere Antwort; Einstufungen ohne Ordnung nach der Mehrheit</translation>
    </message>
    <message>
        <source>weighs each rater by how often they seem to take one label for another</source>
        <translation>gewichtet Bewertende danach, wie oft sie Einstufungen zu verwechseln scheinen</translation>
    </message>
    <message>
        <source>weighs each rater by how often they seem to guess</source>
        <translation>gewichtet Bewertende danach, wie oft sie zu raten scheinen</translation>
    </message>
</context>
<context>
    <name>RescuePage</name>
    <message>
        <source>Desktop Rater</source>
        <translation>Desktop Rater</translation>
    </message>
    <message>
        <source>The store is in {folder}.</source>
        <translation>Die Ablage liegt in {folder}.</translation>
    </message>
    <message>
        <source>Looking for backups …</source>
        <translation>Sicherungen werden gesucht …</translation>
    </message>
    <message>
        <source>Restore the backup of {date}, {revisions}</source>
        <translation>Zur Sicherung vom {date}, {revisions}</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Missing data</source>
        <translation>Fehlende Daten</translation>
    </message>
    <message>
        <source>Recover the store</source>
        <translation>Ablage wiederherstellen</translation>
    </message>
    <message>
        <source>Recovering restores the newest good backup and adds every answer that was saved after it, from the journal. The backup alone holds the store as it was at that time. Either way, the damaged files are kept.</source>
        <translation>Die Wiederherstellung beginnt mit der neuesten guten Sicherung und fügt aus dem Journal jede später gespeicherte Antwort hinzu. Die Sicherung allein enthält die Ablage, wie sie damals war. In beiden Fällen bleiben die beschädigten Dateien erhalten.</translation>
    </message>
    <message>
        <source>There is no good backup. The answers in the journal can be saved to a new store; the bundles have to be imported again. The damaged files are kept.</source>
        <translation>Es gibt keine gute Sicherung. Die Antworten im Journal können in eine neue Ablage übernommen werden; die Bündel müssen neu eingelesen werden. Die beschädigten Dateien bleiben erhalten.</translation>
    </message>
    <message>
        <source>Recovering the store …</source>
        <translation>Die Ablage wird wiederhergestellt …</translation>
    </message>
    <message>
        <source>it is damaged</source>
        <translation>sie ist beschädigt</translation>
    </message>
    <message>
        <source>Restoring the backup …</source>
        <translation>Die Sicherung wird zurückgeholt …</translation>
    </message>
    <message>
        <source>Stop and quit</source>
        <translation>Abbrechen und beenden</translation>
    </message>
    <message>
        <source>Recovered: {revisions}, {joined} of them from the journal. Tasks: {tasks}, bundles: {bundles}, stored pages: {pages}.</source>
        <translation>Wiederhergestellt: {revisions}, davon {joined} aus dem Journal. Aufgaben: {tasks}, Bündel: {bundles}, gespeicherte Seiten: {pages}.</translation>
    </message>
    <message>
        <source>The store has been recovered.</source>
        <translation>Die Ablage wurde wiederhergestellt.</translation>
    </message>
    <message>
        <source>Missing, and listed in {report}: {n}</source>
        <translation>Fehlt, aufgeführt in {report}: {n}</translation>
    </message>
    <message>
        <source>The damaged files are in {place}.</source>
        <translation>Die beschädigten Dateien liegen in {place}.</translation>
    </message>
    <message>
        <source>No known losses.</source>
        <translation>Es ist kein Verlust bekannt.</translation>
    </message>
    <message>
        <source>Open the store</source>
        <translation>Ablage öffnen</translation>
    </message>
    <message>
        <source>Unexpected error.</source>
        <translation>Unerwarteter Fehler.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
</context>
<context>
    <name>Research</name>
    <message>
        <source>1 passage</source>
        <translation>1 Passage</translation>
    </message>
    <message>
        <source>{n} passages</source>
        <translation>{n} Passagen</translation>
    </message>
    <message>
        <source>nothing found in {libraries}</source>
        <translation>nichts gefunden in {libraries}</translation>
    </message>
    <message>
        <source>reported, not measured</source>
        <translation>angegeben, nicht gemessen</translation>
    </message>
    <message>
        <source>evidence taken</source>
        <translation>Beleg genommen</translation>
    </message>
    <message>
        <source>nothing taken</source>
        <translation>nichts genommen</translation>
    </message>
    <message>
        <source>did not load</source>
        <translation>nicht geladen</translation>
    </message>
    <message>
        <source>needs a sign-in</source>
        <translation>verlangt eine Anmeldung</translation>
    </message>
    <message>
        <source>could not be shown</source>
        <translation>nicht darstellbar</translation>
    </message>
    <message>
        <source>Research in your browser</source>
        <translation>Recherche im eigenen Browser</translation>
    </message>
    <message>
        <source>open now</source>
        <translation>jetzt offen</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suche</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
    <message>
        <source>Browser</source>
        <translation>Browser</translation>
    </message>
    <message>
        <source>1 search</source>
        <translation>1 Suche</translation>
    </message>
    <message>
        <source>{n} searches</source>
        <translation>{n} Suchen</translation>
    </message>
    <message>
        <source>1 page</source>
        <translation>1 Seite</translation>
    </message>
    <message>
        <source>{n} pages</source>
        <translation>{n} Seiten</translation>
    </message>
    <message>
        <source>{time} in this program</source>
        <translation>{time} in diesem Programm</translation>
    </message>
    <message>
        <source>{time} in this program, {reported} in your browser</source>
        <translation>{time} in diesem Programm, {reported} im eigenen Browser</translation>
    </message>
    <message>
        <source>{counts}, {time} min of which {reported} reported</source>
        <translation>{counts}, {time} min, davon {reported} angegeben</translation>
    </message>
    <message>
        <source>{counts}, {time} min</source>
        <translation>{counts}, {time} min</translation>
    </message>
    <message>
        <source>{time} min</source>
        <translation>{time} min</translation>
    </message>
    <message>
        <source> or </source>
        <translation> oder </translation>
    </message>
    <message>
        <source>{time} of {least} min</source>
        <translation>{time} von {least} min</translation>
    </message>
    <message>
        <source>{time} of {least} min before {label}</source>
        <translation>{time} von {least} min vor {label}</translation>
    </message>
    <message>
        <source>Evidence on 1 page: {pages}.</source>
        <translation>Belege auf 1 Seite: {pages}.</translation>
    </message>
    <message>
        <source>Evidence on {n} pages: {pages}.</source>
        <translation>Belege auf {n} Seiten: {pages}.</translation>
    </message>
    <message>
        <source>Looked at 1 page without result: {pages}.</source>
        <translation>1 Seite ohne Ergebnis angesehen: {pages}.</translation>
    </message>
    <message>
        <source>Looked at {n} pages without result: {pages}.</source>
        <translation>{n} Seiten ohne Ergebnis angesehen: {pages}.</translation>
    </message>
    <message>
        <source>1 page needs a sign-in: {pages}.</source>
        <translation>1 Seite verlangt eine Anmeldung: {pages}.</translation>
    </message>
    <message>
        <source>{n} pages need a sign-in: {pages}.</source>
        <translation>{n} Seiten verlangen eine Anmeldung: {pages}.</translation>
    </message>
    <message>
        <source>1 page did not load: {pages}.</source>
        <translation>1 Seite ließ sich nicht laden: {pages}.</translation>
    </message>
    <message>
        <source>{n} pages did not load: {pages}.</source>
        <translation>{n} Seiten ließen sich nicht laden: {pages}.</translation>
    </message>
    <message>
        <source>1 page could not be shown: {pages}.</source>
        <translation>1 Seite ließ sich nicht darstellen: {pages}.</translation>
    </message>
    <message>
        <source>{n} pages could not be shown: {pages}.</source>
        <translation>{n} Seiten ließen sich nicht darstellen: {pages}.</translation>
    </message>
    <message>
        <source>{n} more</source>
        <translation>{n} weitere</translation>
    </message>
    <message>
        <source>Searched for {time} min in my own browser.</source>
        <translation>{time} min im eigenen Browser gesucht.</translation>
    </message>
    <message>
        <source>Searched {engines} for {words}.</source>
        <translation>Gesucht in {engines} nach {words}.</translation>
    </message>
    <message>
        <source>Searched {engines} for {words}: nothing found.</source>
        <translation>Gesucht in {engines} nach {words}: nichts gefunden.</translation>
    </message>
    <message>
        <source>nothing found</source>
        <translation>nichts gefunden</translation>
    </message>
    <message>
        <source>Searched {engines} for {words}: {outcome}.</source>
        <translation>Gesucht in {engines} nach {words}: {outcome}.</translation>
    </message>
</context>
<context>
    <name>ResearchCommands</name>
    <message>
        <source>Open a task first.</source>
        <translation>Öffnen Sie zuerst eine Aufgabe.</translation>
    </message>
    <message>
        <source>Research in your browser is being timed. The time stops when you work here again.</source>
        <translation>Die Recherchezeit in Ihrem Browser läuft. Sie hält an, sobald Sie hier weiterarbeiten.</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>{time} min in your browser counted as research.</source>
        <translation>{time} min in Ihrem Browser als Recherche gezählt.</translation>
    </message>
    <message>
        <source>Leave out</source>
        <translation>Weglassen</translation>
    </message>
    <message>
        <source>You were away for {time} min. {counted} min are counted as research in your browser.</source>
        <translation>Sie waren {time} min weg. {counted} min werden als Recherche in Ihrem Browser gezählt.</translation>
    </message>
    <message>
        <source>Count all of it</source>
        <translation>Alles zählen</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Left out of the record.</source>
        <translation>Aus dem Protokoll weggelassen.</translation>
    </message>
    <message>
        <source>Not a time. Enter minutes, such as 12 or 3:30.</source>
        <translation>Keine Zeitangabe. Geben Sie Minuten ein, etwa 12 oder 3:30.</translation>
    </message>
    <message>
        <source>How long did you search in your browser?</source>
        <translation>Wie lange haben Sie in Ihrem Browser gesucht?</translation>
    </message>
    <message>
        <source>Minutes, or minutes and seconds such as 3:30.</source>
        <translation>Minuten, oder Minuten und Sekunden wie 3:30.</translation>
    </message>
    <message>
        <source>There is no comment here.</source>
        <translation>Hier gibt es kein Kommentarfeld.</translation>
    </message>
    <message>
        <source>There is no research on this target yet.</source>
        <translation>Zu dieser Stelle gibt es noch keine Recherche.</translation>
    </message>
</context>
<context>
    <name>ResearchList</name>
    <message>
        <source>Research on this target</source>
        <translation>Recherche zu dieser Stelle</translation>
    </message>
</context>
<context>
    <name>ResearchPane</name>
    <message>
        <source>Research</source>
        <translation>Recherche</translation>
    </message>
    <message>
        <source>No searches or pages yet. Search with {key}, or open a page.</source>
        <translation>Noch keine Suchen oder Seiten. Suchen Sie mit {key}, oder öffnen Sie eine Seite.</translation>
    </message>
    <message>
        <source>Draft from the record</source>
        <translation>Entwurf aus dem Protokoll</translation>
    </message>
    <message>
        <source>Back to the form</source>
        <translation>Zurück zu den Fragen</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>Correct the time</source>
        <translation>Zeit berichtigen</translation>
    </message>
    <message>
        <source>Leave out</source>
        <translation>Weglassen</translation>
    </message>
    <message>
        <source>{time} in your browser, running</source>
        <translation>{time} im eigenen Browser, läuft</translation>
    </message>
    <message>
        <source>Research in your own browser</source>
        <translation>Recherche im eigenen Browser</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
</context>
<context>
    <name>ResponseComparison</name>
    <message>
        <source>Only tasks with two responses can be compared.</source>
        <translation>Vergleichen lassen sich nur Aufgaben mit zwei Antworten.</translation>
    </message>
    <message>
        <source>Only tasks with two responses can scroll together.</source>
        <translation>Gemeinsam scrollen lassen sich nur Aufgaben mit zwei Antworten.</translation>
    </message>
    <message>
        <source>The responses now scroll separately.</source>
        <translation>Die Antworten scrollen jetzt getrennt.</translation>
    </message>
    <message>
        <source>The responses now scroll together.</source>
        <translation>Die Antworten scrollen jetzt gemeinsam.</translation>
    </message>
    <message>
        <source>The responses have no similar sentences, so nothing is marked.</source>
        <translation>Die Antworten haben keine ähnlichen Sätze, daher ist nichts markiert.</translation>
    </message>
    <message>
        <source>The sentences of both responses are the same.</source>
        <translation>Die Sätze beider Antworten stimmen überein.</translation>
    </message>
    <message>
        <source>Solid line: sentences in only one response ({n}). Dotted line: differing words ({m}).</source>
        <translation>Durchgezogene Linie: Sätze nur in einer Antwort ({n}). Gepunktete Linie: abweichende Wörter ({m}).</translation>
    </message>
    <message>
        <source>Only the first {n} characters of each response are compared.</source>
        <translation>Verglichen werden nur die ersten {n} Zeichen jeder Antwort.</translation>
    </message>
</context>
<context>
    <name>ResponsePane</name>
    <message>
        <source>Open link</source>
        <translation>Link öffnen</translation>
    </message>
    <message>
        <source>1 hidden character</source>
        <translation>1 verborgenes Zeichen</translation>
    </message>
    <message>
        <source>{n} hidden characters</source>
        <translation>{n} verborgene Zeichen</translation>
    </message>
    <message>
        <source>Not shown: {parts}</source>
        <translation>Nicht gezeigt: {parts}</translation>
    </message>
    <message>
        <source>Open the next link</source>
        <translation>Nächsten Link öffnen</translation>
    </message>
    <message>
        <source>no links</source>
        <translation>keine Links</translation>
    </message>
    <message>
        <source>{n} of {total} links opened</source>
        <translation>{n} von {total} Links geöffnet</translation>
    </message>
    <message>
        <source>Target {n} of {total}</source>
        <translation>Stelle {n} von {total}</translation>
    </message>
    <message>
        <source>blocked</source>
        <translation>gesperrt</translation>
    </message>
    <message>
        <source>{n} targets selected</source>
        <translation>{n} Stellen ausgewählt</translation>
    </message>
    <message>
        <source>plain text</source>
        <translation>reiner Text</translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation>Markdown</translation>
    </message>
    <message>
        <source>Markdown source</source>
        <translation>Markdown-Quelltext</translation>
    </message>
    <message>
        <source>the response is empty</source>
        <translation>die Antwort ist leer</translation>
    </message>
    <message>
        <source>{n} characters, {kind}</source>
        <translation>{n} Zeichen, {kind}</translation>
    </message>
    <message>
        <source>1 character, {kind}</source>
        <translation>1 Zeichen, {kind}</translation>
    </message>
    <message>
        <source>{n} words, {kind}</source>
        <translation>{n} Wörter, {kind}</translation>
    </message>
    <message>
        <source>1 word, {kind}</source>
        <translation>1 Wort, {kind}</translation>
    </message>
    <message>
        <source>Response</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Response {name}</source>
        <translation>Antwort {name}</translation>
    </message>
</context>
<context>
    <name>ResponsePictures</name>
    <message>
        <source>Fetching the picture …</source>
        <translation>Das Bild wird abgerufen …</translation>
    </message>
    <message>
        <source>No picture: {why}</source>
        <translation>Kein Bild: {why}</translation>
    </message>
    <message>
        <source>No picture: this is none that can be shown</source>
        <translation>Kein Bild, das sich zeigen lässt</translation>
    </message>
</context>
<context>
    <name>ResponseView</name>
    <message>
        <source>Click opens the page, {alt}+click selects the target</source>
        <translation>Klick öffnet die Seite, {alt}+Klick wählt die Stelle</translation>
    </message>
    <message>
        <source>Click fetches the picture</source>
        <translation>Klick ruft das Bild ab</translation>
    </message>
</context>
<context>
    <name>RestoreDialog</name>
    <message>
        <source>Restore a backup</source>
        <translation>Sicherung zurückholen</translation>
    </message>
    <message>
        <source>Backups</source>
        <translation>Sicherungen</translation>
    </message>
    <message>
        <source>Choose a file …</source>
        <translation>Datei wählen …</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Restore …</source>
        <translation>Zurückholen …</translation>
    </message>
    <message>
        <source>Restore this backup?</source>
        <translation>Diese Sicherung zurückholen?</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Zurückholen</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Andere wählen</translation>
    </message>
    <message>
        <source>There is no backup yet. A backup is made at each start if something has changed.</source>
        <translation>Es gibt noch keine Sicherung. Bei jedem Start wird eine angelegt, wenn sich etwas geändert hat.</translation>
    </message>
    <message>
        <source>The chosen backup replaces your current work. The current store is kept, not deleted.</source>
        <translation>Die gewählte Sicherung ersetzt Ihren jetzigen Stand. Die jetzige Ablage bleibt erhalten und wird nicht gelöscht.</translation>
    </message>
    <message>
        <source>{when}, {revisions}</source>
        <translation>{when}, {revisions}</translation>
    </message>
    <message>
        <source>{what}

Everything newer than this backup is removed from the window. The current store is backed up first and moved to {place}. The window then reopens.</source>
        <translation>{what}

Alles, was neuer ist als diese Sicherung, verschwindet aus dem Fenster. Die jetzige Ablage wird vorher gesichert und nach {place} verschoben. Danach öffnet sich das Fenster neu.</translation>
    </message>
</context>
<context>
    <name>Restoring</name>
    <message>
        <source>The backup is restored, with {revisions}.</source>
        <translation>Die Sicherung ist zurückgeholt: {revisions}.</translation>
    </message>
    <message>
        <source>The previous store has been moved to {place}.</source>
        <translation>Die bisherige Ablage liegt jetzt in {place}.</translation>
    </message>
    <message>
        <source>It could not be backed up first: {why}</source>
        <translation>Sie konnte vorher nicht gesichert werden: {why}</translation>
    </message>
</context>
<context>
    <name>Results</name>
    <message>
        <source>{names} and {n} more</source>
        <translation>{names} und {n} weitere</translation>
    </message>
    <message>
        <source>1 rater</source>
        <translation>1 Person</translation>
    </message>
    <message>
        <source>{n} raters</source>
        <translation>{n} Bewertende</translation>
    </message>
    <message>
        <source>Waiting for your decision</source>
        <translation>Warten auf Ihre Entscheidung</translation>
    </message>
    <message>
        <source>Decided by a lead</source>
        <translation>Von der Prüfleitung entschieden</translation>
    </message>
    <message>
        <source>Counting</source>
        <translation>Werden gezählt</translation>
    </message>
    <message>
        <source>followed by later results</source>
        <translation>spätere Ergebnisse folgen darauf</translation>
    </message>
    <message>
        <source>Keys of the raters</source>
        <translation>Schlüssel der Bewertenden</translation>
    </message>
    <message>
        <source>Your copies of the bundle</source>
        <translation>Ihre Kopien des Bündels</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>1 task</source>
        <translation>1 Aufgabe</translation>
    </message>
    <message>
        <source>{n} tasks</source>
        <translation>{n} Aufgaben</translation>
    </message>
    <message>
        <source>revision {n}, {tasks}</source>
        <translation>Stand {n}, {tasks}</translation>
    </message>
    <message>
        <source>Another key of {rater}</source>
        <translation>Anderer Schlüssel von {rater}</translation>
    </message>
    <message>
        <source>Key of {rater}</source>
        <translation>Schlüssel von {rater}</translation>
    </message>
    <message>
        <source>Revision {n}</source>
        <translation>Stand {n}</translation>
    </message>
    <message>
        <source>Results are compared with the highest revision that is not put away.</source>
        <translation>Ergebnisse werden mit dem höchsten Stand verglichen, der nicht weggelegt ist.</translation>
    </message>
    <message>
        <source>brought in by {lead} on {day}</source>
        <translation>hereingenommen von {lead} am {day}</translation>
    </message>
    <message>
        <source>put away by {lead} on {day}: {reason}</source>
        <translation>weggelegt von {lead} am {day}: {reason}</translation>
    </message>
    <message>
        <source>signed for by {key}, which was called back on {day}; waits for your decision</source>
        <translation>bestätigt durch {key}, der am {day} zurückgerufen wurde; wartet auf Ihre Entscheidung</translation>
    </message>
    <message>
        <source>first seen on {day}; what it signs waits for your decision</source>
        <translation>zuerst gesehen am {day}; damit Unterschriebenes wartet auf Sie</translation>
    </message>
    <message>
        <source>introduced when it was first seen</source>
        <translation>anerkannt, als er zuerst gesehen wurde</translation>
    </message>
    <message>
        <source>introduced by {lead} on {day}: {reason}</source>
        <translation>anerkannt von {lead} am {day}: {reason}</translation>
    </message>
    <message>
        <source>called back by {lead} on {day}: {reason}</source>
        <translation>widerrufen von {lead} am {day}: {reason}</translation>
    </message>
    <message>
        <source>all results of this rater admitted by {lead} on {day}: {reason}</source>
        <translation>alle Ergebnisse dieser Person zugelassen von {lead} am {day}: {reason}</translation>
    </message>
    <message>
        <source>admitted by {lead} on {day}: {reason}</source>
        <translation>zugelassen von {lead} am {day}: {reason}</translation>
    </message>
    <message>
        <source>taken out by {lead} on {day}: {reason}</source>
        <translation>herausgenommen von {lead} am {day}: {reason}</translation>
    </message>
    <message>
        <source>later revision than yours</source>
        <translation>neuerer Stand als Ihrer</translation>
    </message>
    <message>
        <source>another rubric</source>
        <translation>anderer Fragebogen</translation>
    </message>
    <message>
        <source>unknown tasks: {tasks}</source>
        <translation>unbekannte Aufgaben: {tasks}</translation>
    </message>
    <message>
        <source>another text of {tasks}</source>
        <translation>anderer Text: {tasks}</translation>
    </message>
    <message>
        <source>altered after signing</source>
        <translation>nach der Unterschrift verändert</translation>
    </message>
    <message>
        <source>not signed</source>
        <translation>ohne Unterschrift</translation>
    </message>
    <message>
        <source>signed with another key</source>
        <translation>mit einem anderen Schlüssel unterschrieben</translation>
    </message>
    <message>
        <source>no key of this rater is known</source>
        <translation>kein Schlüssel dieser Person ist bekannt</translation>
    </message>
    <message>
        <source>not assigned to this rater</source>
        <translation>dieser Person nicht zugeteilt</translation>
    </message>
    <message>
        <source>of a model, and not opened by you</source>
        <translation>von einem Modell und nicht von Ihnen geöffnet</translation>
    </message>
    <message>
        <source>They claim revision {revision} of the bundle, which is later than yours.</source>
        <translation>Angegeben ist Stand {revision} des Bündels, der neuer ist als Ihrer.</translation>
    </message>
    <message>
        <source>They were rated with another rubric than that of your copy.</source>
        <translation>Bewertet wurde mit einem anderen Fragebogen als dem Ihres Exemplars.</translation>
    </message>
    <message>
        <source>Your copy of the bundle does not have these tasks: {tasks}.</source>
        <translation>Diese Aufgaben fehlen in Ihrem Exemplar des Bündels: {tasks}.</translation>
    </message>
    <message>
        <source>The text of these tasks differs from your copy: {tasks}.</source>
        <translation>Der Text dieser Aufgaben weicht von Ihrem Exemplar ab: {tasks}.</translation>
    </message>
    <message>
        <source>Their signature is not of these results: they were altered after signing.</source>
        <translation>Die Unterschrift passt nicht zu diesen Ergebnissen: Sie wurden danach verändert.</translation>
    </message>
    <message>
        <source>They are not signed, although a key of this rater is known.</source>
        <translation>Die Unterschrift fehlt, obwohl ein Schlüssel dieser Person bekannt ist.</translation>
    </message>
    <message>
        <source>They are signed with {key}, which is not a valid key of this rater.</source>
        <translation>Unterschrieben wurde mit {key}, das ist kein gültiger Schlüssel dieser Person.</translation>
    </message>
    <message>
        <source>No key of this rater is known, while other raters of the bundle sign.</source>
        <translation>Von dieser Person ist kein Schlüssel bekannt, während andere Bewertende des Bündels unterschreiben.</translation>
    </message>
    <message>
        <source>The signed assignments of the bundle do not name this rater.</source>
        <translation>Die unterschriebenen Zuteilungen des Bündels nennen diese Person nicht.</translation>
    </message>
    <message>
        <source>They name a model as their rater, and anybody can make such results.</source>
        <translation>Sie stammen angeblich von einem Modell, und solche Ergebnisse kann jeder herstellen.</translation>
    </message>
    <message>
        <source>They can’t be admitted: open the bundle with that rubric instead.</source>
        <translation>Sie lassen sich nicht zulassen: Öffnen Sie stattdessen das Bündel mit jenem Fragebogen.</translation>
    </message>
    <message>
        <source>Even if admitted, they count only where the text is that of your copy.</source>
        <translation>Auch zugelassen zählen sie nur dort, wo der Text mit Ihrem Exemplar übereinstimmt.</translation>
    </message>
    <message>
        <source>Without the bundle itself, these results can’t be compared with anything.</source>
        <translation>Ohne das Bündel selbst lassen sich diese Ergebnisse mit nichts vergleichen.</translation>
    </message>
    <message>
        <source>Nothing is against these results.</source>
        <translation>Gegen diese Ergebnisse spricht nichts.</translation>
    </message>
    <message>
        <source>File {file}, bundle {bundle}, SHA-256 {sha256}</source>
        <translation>Datei {file}, Bündel {bundle}, SHA-256 {sha256}</translation>
    </message>
    <message>
        <source>The id of another rater looks like this one.</source>
        <translation>Der Name einer anderen Person ist mit diesem leicht zu verwechseln.</translation>
    </message>
    <message>
        <source>This one has the characters {characters}.</source>
        <translation>Dieser enthält die Zeichen {characters}.</translation>
    </message>
    <message>
        <source>The key {key}: {state}</source>
        <translation>Der Schlüssel {key}: {state}</translation>
    </message>
    <message>
        <source>Ask the rater by another way than the hub whether the key begins like this.</source>
        <translation>Fragen Sie die Person auf anderem Weg als über den Hub, ob der Schlüssel so beginnt.</translation>
    </message>
    <message>
        <source>1 rating</source>
        <translation>1 Bewertung</translation>
    </message>
    <message>
        <source>{n} ratings</source>
        <translation>{n} Bewertungen</translation>
    </message>
    <message>
        <source>The results are complete: {counts}.</source>
        <translation>Die Ergebnisse sind vollständig: {counts}.</translation>
    </message>
    <message>
        <source>The results are incomplete: {what}. So far: {counts}.</source>
        <translation>Die Ergebnisse sind unvollständig: {what}. Bisher: {counts}.</translation>
    </message>
    <message>
        <source>1 result counts by your decision, although no known key has signed it.</source>
        <translation>1 Ergebnis zählt durch Ihre Entscheidung, obwohl es mit keinem bekannten Schlüssel unterschrieben ist.</translation>
    </message>
    <message>
        <source>{n} results count by your decision, although no known key has signed them.</source>
        <translation>{n} Ergebnisse zählen durch Ihre Entscheidung, obwohl sie mit keinem bekannten Schlüssel unterschrieben sind.</translation>
    </message>
    <message>
        <source>These ids look alike: {raters}.</source>
        <translation>Diese Namen sind leicht zu verwechseln: {raters}.</translation>
    </message>
    <message>
        <source>1 result waits for your decision and counts for nothing.</source>
        <translation>1 Ergebnis wartet auf Ihre Entscheidung und zählt nicht.</translation>
    </message>
    <message>
        <source>{n} results wait for your decision and count for nothing.</source>
        <translation>{n} Ergebnisse warten auf Ihre Entscheidung und zählen nicht.</translation>
    </message>
    <message>
        <source>1 rater is not complete</source>
        <translation>bei 1 Person fehlt etwas</translation>
    </message>
    <message>
        <source>{n} raters are not complete</source>
        <translation>bei {n} Personen fehlt etwas</translation>
    </message>
    <message>
        <source>1 rating is missing</source>
        <translation>1 Bewertung fehlt</translation>
    </message>
    <message>
        <source>{n} ratings are missing</source>
        <translation>{n} Bewertungen fehlen</translation>
    </message>
    <message>
        <source>1 fork</source>
        <translation>1 Verzweigung</translation>
    </message>
    <message>
        <source>{n} forks</source>
        <translation>{n} Verzweigungen</translation>
    </message>
    <message>
        <source>1 task lacks raters</source>
        <translation>1 Aufgabe ist zu wenig bewertet</translation>
    </message>
    <message>
        <source>{n} tasks lack raters</source>
        <translation>{n} Aufgaben sind zu wenig bewertet</translation>
    </message>
    <message>
        <source>1 verdict not sent</source>
        <translation>1 Urteil nicht gesendet</translation>
    </message>
    <message>
        <source>{n} verdicts not sent</source>
        <translation>{n} Urteile nicht gesendet</translation>
    </message>
    <message>
        <source>1 task not returned yet</source>
        <translation>1 Aufgabe noch nicht zurück</translation>
    </message>
    <message>
        <source>{n} tasks not returned yet</source>
        <translation>{n} Aufgaben noch nicht zurück</translation>
    </message>
    <message>
        <source>{n} of {due}</source>
        <translation>{n} von {due}</translation>
    </message>
    <message>
        <source>complete</source>
        <translation>vollständig</translation>
    </message>
    <message>
        <source>not complete</source>
        <translation>unvollständig</translation>
    </message>
    <message>
        <source>no results</source>
        <translation>keine Ergebnisse</translation>
    </message>
    <message>
        <source>missing: {tasks}</source>
        <translation>fehlt: {tasks}</translation>
    </message>
    <message>
        <source>1 task missing</source>
        <translation>1 Aufgabe fehlt</translation>
    </message>
    <message>
        <source>{n} tasks missing</source>
        <translation>{n} Aufgaben fehlen</translation>
    </message>
    <message>
        <source>two results differ for {tasks}</source>
        <translation>zwei Ergebnisse widersprechen sich: {tasks}</translation>
    </message>
    <message>
        <source>rated another version of {tasks}</source>
        <translation>andere Fassung bewertet: {tasks}</translation>
    </message>
    <message>
        <source>follows results that are missing</source>
        <translation>folgt auf fehlende Ergebnisse</translation>
    </message>
    <message>
        <source>{n} follow results that are missing</source>
        <translation>{n} folgen auf fehlende Ergebnisse</translation>
    </message>
    <message>
        <source>rated {tasks} without being assigned</source>
        <translation>ohne Zuteilung bewertet: {tasks}</translation>
    </message>
    <message>
        <source>1 rating replaced</source>
        <translation>1 Bewertung ersetzt</translation>
    </message>
    <message>
        <source>{n} ratings replaced</source>
        <translation>{n} Bewertungen ersetzt</translation>
    </message>
    <message>
        <source>1 skipped</source>
        <translation>1 übersprungen</translation>
    </message>
    <message>
        <source>{n} skipped</source>
        <translation>{n} übersprungen</translation>
    </message>
    <message>
        <source>1 result waits for your decision</source>
        <translation>1 Ergebnis wartet auf Sie</translation>
    </message>
    <message>
        <source>{n} results wait for your decision</source>
        <translation>{n} Ergebnisse warten auf Sie</translation>
    </message>
    <message>
        <source>a model</source>
        <translation>ein Modell</translation>
    </message>
    <message>
        <source>practice</source>
        <translation>Übung</translation>
    </message>
    <message>
        <source>The signature of 1 rater needs attention.</source>
        <translation>Die Unterschrift von 1 Person ist zu prüfen.</translation>
    </message>
    <message>
        <source>The signatures of {n} raters need attention.</source>
        <translation>Die Unterschriften von {n} Personen sind zu prüfen.</translation>
    </message>
    <message>
        <source>signed, {key}</source>
        <translation>unterschrieben, {key}</translation>
    </message>
    <message>
        <source>signed, {key}; no key of this rater is known</source>
        <translation>unterschrieben, {key}; kein Schlüssel dieser Person ist bekannt</translation>
    </message>
    <message>
        <source>signed with a key that this rater has not published, {key}</source>
        <translation>unterschrieben mit einem Schlüssel, den diese Person nicht veröffentlicht hat, {key}</translation>
    </message>
    <message>
        <source>unsigned, although this rater signs results</source>
        <translation>ohne Unterschrift, obwohl diese Person Ergebnisse unterschreibt</translation>
    </message>
    <message>
        <source>altered since it was signed</source>
        <translation>nach der Unterschrift verändert</translation>
    </message>
    <message>
        <source>missing: {raters}</source>
        <translation>fehlt: {raters}</translation>
    </message>
    <message>
        <source>not rated yet</source>
        <translation>noch nicht bewertet</translation>
    </message>
    <message>
        <source>fewer ratings than other tasks</source>
        <translation>weniger Bewertungen als andere Aufgaben</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>abgewiesen</translation>
    </message>
    <message>
        <source>1 new result</source>
        <translation>1 neues Ergebnis</translation>
    </message>
    <message>
        <source>{n} new results</source>
        <translation>{n} neue Ergebnisse</translation>
    </message>
    <message>
        <source>1 bundle imported</source>
        <translation>1 Bündel eingelesen</translation>
    </message>
    <message>
        <source>{n} bundles imported</source>
        <translation>{n} Bündel eingelesen</translation>
    </message>
    <message>
        <source>1 new public key</source>
        <translation>1 neuer öffentlicher Schlüssel</translation>
    </message>
    <message>
        <source>{n} new public keys</source>
        <translation>{n} neue öffentliche Schlüssel</translation>
    </message>
    <message>
        <source>1 file already present</source>
        <translation>1 Datei schon vorhanden</translation>
    </message>
    <message>
        <source>{n} files already present</source>
        <translation>{n} Dateien schon vorhanden</translation>
    </message>
    <message>
        <source>1 file refused</source>
        <translation>1 Datei abgewiesen</translation>
    </message>
    <message>
        <source>{n} files refused</source>
        <translation>{n} Dateien abgewiesen</translation>
    </message>
    <message>
        <source>No new results.</source>
        <translation>Keine neuen Ergebnisse.</translation>
    </message>
    <message>
        <source>Neither results nor bundles: {names}.</source>
        <translation>Weder Ergebnisse noch Bündel: {names}.</translation>
    </message>
</context>
<context>
    <name>ResultsImporter</name>
    <message>
        <source>Checking the results …</source>
        <translation>Ergebnisse werden nachgeprüft …</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Checking the results: {done} of {total}</source>
        <translation>Ergebnisse werden nachgeprüft: {done} von {total}</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Results received from the hub: {n}.</source>
        <translation>Vom Hub empfangene Ergebnisse: {n}.</translation>
    </message>
    <message>
        <source>Refused: {n}.</source>
        <translation>Abgelehnt: {n}.</translation>
    </message>
</context>
<context>
    <name>ResultsPage</name>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>Bundle</source>
        <translation>Bündel</translation>
    </message>
    <message>
        <source>Open results …</source>
        <translation>Ergebnisse öffnen …</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Raters</source>
        <translation>Bewertende</translation>
    </message>
    <message>
        <source>Refused</source>
        <translation>Abgewiesen</translation>
    </message>
    <message>
        <source>Tasks that lack raters</source>
        <translation>Zu wenig bewertete Aufgaben</translation>
    </message>
    <message>
        <source>Raters export their results as zip files. Drop the files or a folder here. Add the rated bundle too, to see what is missing.</source>
        <translation>Bewertende exportieren ihre Ergebnisse als Zip-Dateien. Legen Sie die Dateien oder einen Ordner hier ab. Mit dem bewerteten Bündel sehen Sie auch, was fehlt.</translation>
    </message>
    <message>
        <source>Open the bundle too, to see which tasks have not been rated.</source>
        <translation>Öffnen Sie auch das Bündel, um zu sehen, welche Aufgaben noch nicht bewertet sind.</translation>
    </message>
    <message>
        <source>No results yet</source>
        <translation>Noch keine Ergebnisse</translation>
    </message>
</context>
<context>
    <name>ResultsSigner</name>
    <message>
        <source>Pass phrase …</source>
        <translation>Kennsatz …</translation>
    </message>
    <message>
        <source>The results are not signed: your signing key file is locked. Enter its pass phrase to sign results.</source>
        <translation>Die Ergebnisse sind nicht unterschrieben: Ihre Schlüsseldatei ist gesperrt. Geben Sie den Kennsatz ein, um Ergebnisse zu unterschreiben.</translation>
    </message>
    <message>
        <source>The results are not signed: {why}</source>
        <translation>Die Ergebnisse sind nicht unterschrieben: {why}</translation>
    </message>
    <message>
        <source>The results are not signed: this computer has no secure keyring. The signing key can be stored in a file protected by a pass phrase.</source>
        <translation>Die Ergebnisse sind nicht unterschrieben: Auf diesem Rechner gibt es keinen sicheren Schlüsselbund. Der Schlüssel kann in einer Datei gespeichert werden, die ein Kennsatz schützt.</translation>
    </message>
    <message>
        <source>Results are now signed with your key {key}. Export again to sign the previous results.</source>
        <translation>Ergebnisse werden jetzt mit Ihrem Schlüssel {key} unterschrieben. Geben Sie noch einmal aus, um auch die bisherigen zu unterschreiben.</translation>
    </message>
    <message>
        <source>Unexpected error.</source>
        <translation>Unerwarteter Fehler.</translation>
    </message>
</context>
<context>
    <name>ReturnCommand</name>
    <message>
        <source>the outbox for {hub}</source>
        <translation>dem Ausgang für {hub}</translation>
    </message>
    <message>
        <source>Save as files instead …</source>
        <translation>Stattdessen als Dateien speichern …</translation>
    </message>
    <message>
        <source>There is nothing to send back.</source>
        <translation>Es ist nichts zurückzugeben.</translation>
    </message>
    <message>
        <source>Some tasks will be sent once these have been returned.</source>
        <translation>Einige Aufgaben werden erst gesendet, wenn diese zurück sind.</translation>
    </message>
    <message>
        <source>1 task was returned unchanged. It is sent again once you change its verdict.</source>
        <translation>1 Aufgabe kam unverändert zurück. Sie wird wieder gesendet, sobald Sie das Urteil ändern.</translation>
    </message>
    <message>
        <source>{n} tasks were returned unchanged. They are sent again once you change their verdicts.</source>
        <translation>{n} Aufgaben kamen unverändert zurück. Sie werden wieder gesendet, sobald Sie die Urteile ändern.</translation>
    </message>
    <message>
        <source>{n} more</source>
        <translation>{n} weitere</translation>
    </message>
    <message>
        <source>1 bundle was saved to {folder}: {raters}.</source>
        <translation>1 Bündel wurde in {folder} gespeichert: {raters}.</translation>
    </message>
    <message>
        <source>{n} bundles were saved to {folder}: {raters}.</source>
        <translation>{n} Bündel wurden in {folder} gespeichert: {raters}.</translation>
    </message>
    <message>
        <source>1 task to {rater}</source>
        <translation>1 Aufgabe an {rater}</translation>
    </message>
    <message>
        <source>{n} tasks to {rater}</source>
        <translation>{n} Aufgaben an {rater}</translation>
    </message>
</context>
<context>
    <name>Returned</name>
    <message>
        <source>Sent back by {name}, with 1 comment</source>
        <translation>Zurück von {name}, mit 1 Anmerkung</translation>
    </message>
    <message>
        <source>Sent back by {name}, with {n} comments</source>
        <translation>Zurück von {name}, mit {n} Anmerkungen</translation>
    </message>
    <message>
        <source>The guideline has a gap</source>
        <translation>Lücke im Leitfaden</translation>
    </message>
    <message>
        <source>The text is ambiguous</source>
        <translation>Text ist mehrdeutig</translation>
    </message>
    <message>
        <source>Search insufficient</source>
        <translation>Recherche unzureichend</translation>
    </message>
    <message>
        <source>Label does not follow</source>
        <translation>Einstufung folgt nicht</translation>
    </message>
    <message>
        <source>Evidence does not support it</source>
        <translation>Beleg stützt es nicht</translation>
    </message>
    <message>
        <source>Missing claim</source>
        <translation>Fehlende Aussage</translation>
    </message>
    <message>
        <source>Edge case</source>
        <translation>Grenzfall</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>Anderes</translation>
    </message>
    <message>
        <source>the QA lead</source>
        <translation>der Prüfleitung</translation>
    </message>
    <message>
        <source>Sent back by {name}</source>
        <translation>Zurück von {name}</translation>
    </message>
    <message>
        <source>Sent back by {name}: {reasons}</source>
        <translation>Zurück von {name}: {reasons}</translation>
    </message>
</context>
<context>
    <name>ReturnedCommands</name>
    <message>
        <source>This task has no comments from the QA lead.</source>
        <translation>Diese Aufgabe hat keine Anmerkungen der Prüfleitung.</translation>
    </message>
</context>
<context>
    <name>ReturnedNotice</name>
    <message>
        <source>Next comment</source>
        <translation>Nächste Anmerkung</translation>
    </message>
    <message>
        <source>Claim {n}: {comment}</source>
        <translation>Aussage {n}: {comment}</translation>
    </message>
    <message>
        <source>To the whole task: {comment}</source>
        <translation>Zur ganzen Aufgabe: {comment}</translation>
    </message>
    <message>
        <source>changed since</source>
        <translation>seitdem geändert</translation>
    </message>
    <message>
        <source>not changed yet</source>
        <translation>noch nicht geändert</translation>
    </message>
</context>
<context>
    <name>Review</name>
    <message>
        <source>{group}, sampled {n} %</source>
        <translation>{group}, Stichprobe {n} %</translation>
    </message>
    <message>
        <source>reviewed</source>
        <translation>geprüft</translation>
    </message>
    <message>
        <source>begun</source>
        <translation>begonnen</translation>
    </message>
    <message>
        <source>not reviewed</source>
        <translation>nicht geprüft</translation>
    </message>
    <message>
        <source>decided</source>
        <translation>entschieden</translation>
    </message>
    <message>
        <source>decided in bulk</source>
        <translation>gesammelt entschieden</translation>
    </message>
    <message>
        <source>tied</source>
        <translation>Gleichstand</translation>
    </message>
    <message>
        <source>open</source>
        <translation>offen</translation>
    </message>
    <message>
        <source>verdict outdated</source>
        <translation>überholtes Urteil</translation>
    </message>
    <message>
        <source>forked</source>
        <translation>verzweigt</translation>
    </message>
    <message>
        <source>gold missed</source>
        <translation>verfehlt das Muster</translation>
    </message>
    <message>
        <source>{question} differs</source>
        <translation>{question} weicht ab</translation>
    </message>
    <message>
        <source>target {n} of {total}</source>
        <translation>Stelle {n} von {total}</translation>
    </message>
    <message>
        <source>response {name}</source>
        <translation>Antwort {name}</translation>
    </message>
    <message>
        <source>the whole task</source>
        <translation>die ganze Aufgabe</translation>
    </message>
    <message>
        <source>1 target</source>
        <translation>1 Stelle</translation>
    </message>
    <message>
        <source>1 place</source>
        <translation>1 Stelle</translation>
    </message>
    <message>
        <source>{n} targets</source>
        <translation>{n} Stellen</translation>
    </message>
    <message>
        <source>{n} places</source>
        <translation>{n} Stellen</translation>
    </message>
    <message>
        <source>a model</source>
        <translation>ein Modell</translation>
    </message>
    <message>
        <source>{n} {label}</source>
        <translation>{n} {label}</translation>
    </message>
    <message>
        <source>{label}: 1 rater</source>
        <translation>{label}: 1 Person</translation>
    </message>
    <message>
        <source>{label}: {n} raters</source>
        <translation>{label}: {n} Bewertende</translation>
    </message>
    <message>
        <source>median {time}</source>
        <translation>Median {time}</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>übersprungen</translation>
    </message>
    <message>
        <source>without a label</source>
        <translation>ohne Einstufung</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Nichts</translation>
    </message>
    <message>
        <source>Counted, not opened: {page}</source>
        <translation>Gezählt, nicht geöffnet: {page}</translation>
    </message>
    <message>
        <source>Raters</source>
        <translation>Bewertende</translation>
    </message>
    <message>
        <source>{n} labels</source>
        <translation>{n} Einstufungen</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>Einstufung</translation>
    </message>
    <message>
        <source>Gold</source>
        <translation>Muster</translation>
    </message>
    <message>
        <source>Based on</source>
        <translation>Grundlage</translation>
    </message>
    <message>
        <source>Claims</source>
        <translation>Aussagen</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>Belege</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>Links</translation>
    </message>
    <message>
        <source>Answers taken over</source>
        <translation>Übernommene Antworten</translation>
    </message>
    <message>
        <source>Research</source>
        <translation>Recherche</translation>
    </message>
    <message>
        <source>Comment</source>
        <translation>Kommentar</translation>
    </message>
    <message>
        <source>Shown first</source>
        <translation>Zuerst gezeigt</translation>
    </message>
    <message>
        <source>Note to the lead</source>
        <translation>Notiz an die Leitung</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>Warnungen</translation>
    </message>
    <message>
        <source>Changes since return</source>
        <translation>Änderungen seit der Rückgabe</translation>
    </message>
    <message>
        <source>Revisions</source>
        <translation>Stände</translation>
    </message>
    <message>
        <source>Signed</source>
        <translation>Unterschrift</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>{n} values</source>
        <translation>{n} Werte</translation>
    </message>
    <message>
        <source>Response {name}</source>
        <translation>Antwort {name}</translation>
    </message>
    <message>
        <source>Response {name}, seen as {letter}</source>
        <translation>Antwort {name}, gesehen als {letter}</translation>
    </message>
    <message>
        <source>Skipped: {why}</source>
        <translation>Übersprungen: {why}</translation>
    </message>
    <message>
        <source>Skipped</source>
        <translation>Übersprungen</translation>
    </message>
    <message>
        <source>No label</source>
        <translation>Ohne Einstufung</translation>
    </message>
    <message>
        <source>Same</source>
        <translation>Gleich</translation>
    </message>
    <message>
        <source>Differs: gold is {label}</source>
        <translation>Weicht ab, Muster: {label}</translation>
    </message>
    <message>
        <source>{n} for, {m} against</source>
        <translation>{n} dafür, {m} dagegen</translation>
    </message>
    <message>
        <source>Nothing here</source>
        <translation>Hier nichts</translation>
    </message>
    <message>
        <source>{words}, before: {before}</source>
        <translation>{words}, vorher: {before}</translation>
    </message>
    <message>
        <source>Not yet</source>
        <translation>Noch keines</translation>
    </message>
    <message>
        <source>For an earlier rating</source>
        <translation>Zu einer früheren Bewertung</translation>
    </message>
    <message>
        <source>Other reasons</source>
        <translation>Andere Gründe</translation>
    </message>
    <message>
        <source>Pages: {n}, taken by {m} of {all}</source>
        <translation>Seiten: {n}, übernommen von {m} von {all}</translation>
    </message>
    <message>
        <source>Pages: none taken, {n} opened</source>
        <translation>Seiten: keine übernommen, {n} geöffnet</translation>
    </message>
    <message>
        <source>{n} more</source>
        <translation>{n} weitere</translation>
    </message>
    <message>
        <source>By {n} of {m}</source>
        <translation>Von {n} aus {m}</translation>
    </message>
    <message>
        <source>{rater}, and {n} like it</source>
        <translation>{rater} und {n} ähnliche</translation>
    </message>
    <message>
        <source>and {n} more</source>
        <translation>und {n} weitere</translation>
    </message>
    <message>
        <source>None. No pages opened.</source>
        <translation>Keine. Keine Seite geöffnet.</translation>
    </message>
    <message>
        <source>None.</source>
        <translation>Keine.</translation>
    </message>
    <message>
        <source>Pages opened but not used as evidence: {n}</source>
        <translation>Geöffnet, aber nicht als Beleg verwendet: {n}</translation>
    </message>
    <message>
        <source>No address</source>
        <translation>Keine Adresse</translation>
    </message>
    <message>
        <source>No quote</source>
        <translation>Kein Zitat</translation>
    </message>
    <message>
        <source>Rater’s note: {text}</source>
        <translation>Notiz dazu: {text}</translation>
    </message>
    <message>
        <source>never opened</source>
        <translation>nie geöffnet</translation>
    </message>
    <message>
        <source>opened {time}</source>
        <translation>geöffnet {time}</translation>
    </message>
    <message>
        <source>page stored</source>
        <translation>Seite abgelegt</translation>
    </message>
    <message>
        <source>page not kept</source>
        <translation>Seite nicht aufgehoben</translation>
    </message>
    <message>
        <source>from the library {library}</source>
        <translation>aus der Bibliothek {library}</translation>
    </message>
    <message>
        <source>as in {task} of {bundle}, their own</source>
        <translation>wie in {task} aus {bundle}, eigene Bewertung</translation>
    </message>
    <message>
        <source>as in {task} of {bundle}, a decided case</source>
        <translation>wie in {task} aus {bundle}, entschiedener Fall</translation>
    </message>
    <message>
        <source>The lowest-rated of its claims.</source>
        <translation>Die am schlechtesten bewertete ihrer Aussagen.</translation>
    </message>
    <message>
        <source>acknowledged: {text}</source>
        <translation>hingenommen: {text}</translation>
    </message>
    <message>
        <source>acknowledged</source>
        <translation>hingenommen</translation>
    </message>
    <message>
        <source>{rater}, {key}</source>
        <translation>{rater}, {key}</translation>
    </message>
    <message>
        <source>{key}. No key of this rater is known.</source>
        <translation>{key}. Kein Schlüssel dieser Person ist bekannt.</translation>
    </message>
    <message>
        <source>Signed with a key that this rater has not published: {key}</source>
        <translation>Mit einem Schlüssel, den diese Person nicht veröffentlicht hat: {key}</translation>
    </message>
    <message>
        <source>Unsigned</source>
        <translation>Ohne Unterschrift</translation>
    </message>
    <message>
        <source>Unsigned, although this rater signs results</source>
        <translation>Ohne Unterschrift, obwohl diese Person Ergebnisse unterschreibt</translation>
    </message>
    <message>
        <source>Altered since it was signed</source>
        <translation>Nach der Unterschrift verändert</translation>
    </message>
    <message>
        <source>{n}, {first} to {last}</source>
        <translation>{n}, {first} bis {last}</translation>
    </message>
    <message>
        <source>Earlier ratings of this task: {n}</source>
        <translation>Frühere Bewertungen dieser Aufgabe: {n}</translation>
    </message>
    <message>
        <source>This rater has another, conflicting rating</source>
        <translation>Von dieser Person gibt es eine zweite, abweichende Bewertung</translation>
    </message>
    <message>
        <source>With a warning</source>
        <translation>Mit Warnung</translation>
    </message>
    <message>
        <source>Warning acknowledged</source>
        <translation>Warnung hingenommen</translation>
    </message>
    <message>
        <source>Too fast</source>
        <translation>Zu schnell</translation>
    </message>
    <message>
        <source>No evidence</source>
        <translation>Ohne Belege</translation>
    </message>
    <message>
        <source>Without research</source>
        <translation>Ohne Recherche</translation>
    </message>
    <message>
        <source>Searched in a library only</source>
        <translation>Nur in Bibliothek gesucht</translation>
    </message>
    <message>
        <source>Evidence unreachable</source>
        <translation>Beleg nicht mehr erreichbar</translation>
    </message>
    <message>
        <source>Sent back</source>
        <translation>Zurückgegeben</translation>
    </message>
    <message>
        <source>Gold missed</source>
        <translation>Verfehlt das Muster</translation>
    </message>
    <message>
        <source>Forked</source>
        <translation>Verzweigt</translation>
    </message>
    <message>
        <source>Verdict outdated</source>
        <translation>Überholtes Urteil</translation>
    </message>
    <message>
        <source>{n} different labels</source>
        <translation>{n} verschiedene Einstufungen</translation>
    </message>
    <message>
        <source>{n} against {m}</source>
        <translation>{n} gegen {m}</translation>
    </message>
    <message>
        <source>Same label, other answers differ</source>
        <translation>Gleich eingestuft, sonst verschieden</translation>
    </message>
    <message>
        <source>All agree</source>
        <translation>Alle einig</translation>
    </message>
    <message>
        <source>One rating</source>
        <translation>Eine Bewertung</translation>
    </message>
    <message>
        <source>Decided</source>
        <translation>Entschieden</translation>
    </message>
    <message>
        <source>{share} or more probable</source>
        <translation>Wahrscheinlichkeit ab {share}</translation>
    </message>
    <message>
        <source>Less than {share} probable</source>
        <translation>Wahrscheinlichkeit unter {share}</translation>
    </message>
    <message>
        <source>{n} %</source>
        <translation>{n} %</translation>
    </message>
    <message>
        <source>More than half</source>
        <translation>Mehr als die Hälfte</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>Dawid–Skene</source>
        <translation>Dawid–Skene</translation>
    </message>
    <message>
        <source>MACE</source>
        <translation>MACE</translation>
    </message>
    <message>
        <source>{method}, at least {share}</source>
        <translation>{method}, mindestens {share}</translation>
    </message>
    <message>
        <source>Accepted</source>
        <translation>Angenommen</translation>
    </message>
    <message>
        <source>Corrected</source>
        <translation>Berichtigt</translation>
    </message>
    <message>
        <source>{time} active</source>
        <translation>{time} aktiv</translation>
    </message>
    <message>
        <source>Most disagreement first</source>
        <translation>Größte Uneinigkeit zuerst</translation>
    </message>
    <message>
        <source>Largest entropy first</source>
        <translation>Größte Entropie zuerst</translation>
    </message>
    <message>
        <source>Least certain first</source>
        <translation>Unsicherste zuerst</translation>
    </message>
    <message>
        <source>Labels furthest apart first</source>
        <translation>Entfernteste Einstufungen zuerst</translation>
    </message>
    <message>
        <source>Most labels first</source>
        <translation>Meiste Einstufungen zuerst</translation>
    </message>
    <message>
        <source>Most ratings first</source>
        <translation>Meiste Bewertungen zuerst</translation>
    </message>
    <message>
        <source>Targets</source>
        <translation>Stellen</translation>
    </message>
    <message>
        <source>Responses</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>Whole tasks</source>
        <translation>Ganze Aufgaben</translation>
    </message>
    <message>
        <source>You decided: {label}.</source>
        <translation>Sie haben entschieden: {label}.</translation>
    </message>
    <message>
        <source>Decided in bulk: {label}.</source>
        <translation>Gesammelt entschieden: {label}.</translation>
    </message>
    <message>
        <source>{share} is below the {least} that this audit asks for, so you decide.</source>
        <translation>{share} liegt unter den hier verlangten {least}; Sie entscheiden.</translation>
    </message>
    <message>
        <source>The median has less than {least} of the votes, so you decide.</source>
        <translation>Der Median hat weniger als {least} der Stimmen; Sie entscheiden.</translation>
    </message>
    <message>
        <source>No label has more than half of the votes, so you decide.</source>
        <translation>Keine Einstufung hat mehr als die Hälfte der Stimmen; Sie entscheiden.</translation>
    </message>
    <message>
        <source>Two labels are equally probable, so you decide.</source>
        <translation>Zwei Einstufungen sind gleich wahrscheinlich; Sie entscheiden.</translation>
    </message>
    <message>
        <source>The median of {m} votes decides: {label}.</source>
        <translation>Der Median von {m} Stimmen entscheidet: {label}.</translation>
    </message>
    <message>
        <source>More than half decide: {n} of {m} say {label}.</source>
        <translation>Mehr als die Hälfte entscheidet: {n} von {m} sagen {label}.</translation>
    </message>
    <message>
        <source>{method} decides: {label} is {share} probable.</source>
        <translation>{method} entscheidet: {label}, Wahrscheinlichkeit {share}.</translation>
    </message>
    <message>
        <source>The groups part at the evidence: {a} of {n} took a page, {b} of {m} did.</source>
        <translation>Die Gruppen trennt der Beleg: {a} von {n} haben eine Seite übernommen, {b} von {m} in der anderen.</translation>
    </message>
    <message>
        <source>The groups part at one question. {question}: {answer}, {a} of {n} against {b} of {m}.</source>
        <translation>Die Gruppen trennt eine Frage. {question}: {answer}, {a} von {n} gegen {b} von {m}.</translation>
    </message>
    <message>
        <source>{label}: {n} votes, {share}</source>
        <translation>{label}: {n} Stimmen, {share}</translation>
    </message>
    <message>
        <source>{n} votes, entropy {bits} bits</source>
        <translation>{n} Stimmen, Entropie {bits} Bit</translation>
    </message>
    <message>
        <source>{n} more labels</source>
        <translation>{n} weitere Einstufungen</translation>
    </message>
    <message>
        <source>{n}, {share}</source>
        <translation>{n}, {share}</translation>
    </message>
    <message>
        <source>{method}, entropy {bits} bits</source>
        <translation>{method}, Entropie {bits} Bit</translation>
    </message>
</context>
<context>
    <name>ReviewCases</name>
    <message>
        <source>decided differently before</source>
        <translation>früher anders entschieden</translation>
    </message>
    <message>
        <source>{cases}. Write why this place is decided differently.</source>
        <translation>{cases}. Schreiben Sie, warum diese Stelle anders entschieden wird.</translation>
    </message>
    <message>
        <source>Comparing with decided cases: {done} of {total} places</source>
        <translation>Vergleich mit entschiedenen Fällen: {done} von {total} Stellen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>ReviewFilters</name>
    <message>
        <source>reviewed</source>
        <translation>geprüft</translation>
    </message>
    <message>
        <source>not reviewed yet</source>
        <translation>noch nicht geprüft</translation>
    </message>
    <message>
        <source>in the sample</source>
        <translation>in der Stichprobe</translation>
    </message>
    <message>
        <source>without a final label</source>
        <translation>ohne endgültiges Ergebnis</translation>
    </message>
    <message>
        <source>Entropy over {bits}</source>
        <translation>Entropie über {bits}</translation>
    </message>
    <message>
        <source>One label</source>
        <translation>Eine Einstufung</translation>
    </message>
    <message>
        <source>{n} labels or fewer</source>
        <translation>Höchstens {n} Einstufungen</translation>
    </message>
    <message>
        <source>remove</source>
        <translation>entfernen</translation>
    </message>
    <message>
        <source>Clear filters</source>
        <translation>Filter löschen</translation>
    </message>
    <message>
        <source>In use</source>
        <translation>In Gebrauch</translation>
    </message>
    <message>
        <source>Places</source>
        <translation>Stellen</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>Einstufung</translation>
    </message>
    <message>
        <source>Disagreement</source>
        <translation>Uneinigkeit</translation>
    </message>
    <message>
        <source>Marks</source>
        <translation>Kennzeichen</translation>
    </message>
    <message>
        <source>Rater</source>
        <translation>Person</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>Reihenfolge</translation>
    </message>
    <message>
        <source>Not reviewed yet</source>
        <translation>Noch nicht geprüft</translation>
    </message>
    <message>
        <source>Reviewed</source>
        <translation>Geprüft</translation>
    </message>
    <message>
        <source>In the sample</source>
        <translation>In der Stichprobe</translation>
    </message>
    <message>
        <source>Without a final label</source>
        <translation>Ohne endgültiges Ergebnis</translation>
    </message>
</context>
<context>
    <name>ReviewListPane</name>
    <message>
        <source>Items to review</source>
        <translation>Zu prüfende Stellen</translation>
    </message>
    <message>
        <source>Filter targets</source>
        <translation>Stellen filtern</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Places</source>
        <translation>Stellen</translation>
    </message>
    <message>
        <source>Places, most disagreement first</source>
        <translation>Stellen, die größte Uneinigkeit zuerst</translation>
    </message>
    <message>
        <source>1 result waits for you</source>
        <translation>1 Ergebnis wartet</translation>
    </message>
    <message>
        <source>{n} results wait for you</source>
        <translation>{n} Ergebnisse warten</translation>
    </message>
    <message>
        <source>No items match the filter.</source>
        <translation>Keine Stelle entspricht dem Filter.</translation>
    </message>
    <message>
        <source>There are no ratings yet.</source>
        <translation>Es gibt noch keine Bewertungen.</translation>
    </message>
    <message>
        <source>of {total} shown, {n} of {sampled} reviewed</source>
        <translation>von {total} gezeigt, {n} von {sampled} geprüft</translation>
    </message>
    <message>
        <source>of {total} shown, {n} reviewed</source>
        <translation>von {total} gezeigt, {n} geprüft</translation>
    </message>
</context>
<context>
    <name>ReviewNavigator</name>
    <message>
        <source>{n} of {m} raters are shown. Choose others with {key}, or group them with G.</source>
        <translation>{n} von {m} Bewertenden sind gezeigt. Andere wählt {key}, gruppiert wird mit G.</translation>
    </message>
    <message>
        <source>Hidden until you answer</source>
        <translation>Verborgen, bis Sie geantwortet haben</translation>
    </message>
    <message>
        <source>All items after this one are reviewed.</source>
        <translation>Alle Stellen nach dieser sind geprüft.</translation>
    </message>
    <message>
        <source>shown</source>
        <translation>gezeigt</translation>
    </message>
    <message>
        <source>Show as if none were chosen</source>
        <translation>Zeigen, als wäre niemand gewählt</translation>
    </message>
    <message>
        <source>Raters</source>
        <translation>Bewertende</translation>
    </message>
</context>
<context>
    <name>ReviewScreen</name>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Listing the places: {done} of {total} tasks</source>
        <translation>Stellen werden aufgelistet: {done} von {total} Aufgaben</translation>
    </message>
    <message>
        <source>Filter the list</source>
        <translation>Liste filtern</translation>
    </message>
    <message>
        <source>Order the list by</source>
        <translation>Liste ordnen nach</translation>
    </message>
    <message>
        <source>Raters to show</source>
        <translation>Gezeigte Bewertende</translation>
    </message>
    <message>
        <source>{bundle}: review</source>
        <translation>{bundle}: Prüfung</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>Prüfung</translation>
    </message>
    <message>
        <source>1 rater</source>
        <translation>1 Person</translation>
    </message>
    <message>
        <source>{n} raters</source>
        <translation>{n} Bewertende</translation>
    </message>
    <message>
        <source>{words} in the sample, seed {seed}</source>
        <translation>{words} in der Stichprobe, Startwert {seed}</translation>
    </message>
    <message>
        <source>{words}, blind</source>
        <translation>{words}, unbesehen</translation>
    </message>
</context>
<context>
    <name>RowEditor</name>
    <message>
        <source>{question} Row {n}</source>
        <translation>{question} Zeile {n}</translation>
    </message>
    <message>
        <source>Write a row, then press Enter</source>
        <translation>Eine Zeile schreiben, dann Enter</translation>
    </message>
    <message>
        <source>document</source>
        <translation>Dokument</translation>
    </message>
</context>
<context>
    <name>RubricPreview</name>
    <message>
        <source>Answers given here are discarded when the window is closed.</source>
        <translation>Ihre Antworten hier werden beim Schließen des Fensters verworfen.</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <source>This is a preview of {name}. {why}</source>
        <translation>Das ist eine Vorschau von {name}. {why}</translation>
    </message>
    <message>
        <source>This is a preview of {name}. It is updated whenever the file changes. {why}</source>
        <translation>Dies ist eine Vorschau von {name}. Sie wird bei jeder Änderung der Datei aktualisiert. {why}</translation>
    </message>
    <message>
        <source>The form shows the current {name}.</source>
        <translation>Das Formular zeigt {name} im aktuellen Stand.</translation>
    </message>
    <message>
        <source>{why} The form still shows the previous version.</source>
        <translation>{why} Das Formular zeigt weiterhin die vorige Fassung.</translation>
    </message>
</context>
<context>
    <name>SamplePanel</name>
    <message>
        <source>Draw a sample</source>
        <translation>Stichprobe ziehen</translation>
    </message>
    <message>
        <source>Which targets do you want to review?</source>
        <translation>Welche Stellen möchten Sie prüfen?</translation>
    </message>
    <message>
        <source>{n} %</source>
        <translation>{n} %</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Draw</source>
        <translation>Ziehen</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>A share</source>
        <translation>Anteilig</translation>
    </message>
    <message>
        <source>A share of each kind</source>
        <translation>Anteilig je Art</translation>
    </message>
    <message>
        <source>All that differ from gold</source>
        <translation>Alle, die vom Muster abweichen</translation>
    </message>
    <message>
        <source>by disagreement</source>
        <translation>nach Uneinigkeit</translation>
    </message>
    <message>
        <source>by label</source>
        <translation>nach Einstufung</translation>
    </message>
    <message>
        <source>by rater</source>
        <translation>nach Person</translation>
    </message>
    <message>
        <source>Drawn only from: {filters}</source>
        <translation>Gezogen nur aus: {filters}</translation>
    </message>
    <message>
        <source>Current sample: {n} of {total} targets, seed {seed}. {how}.</source>
        <translation>Aktuelle Stichprobe: {n} von {total} Stellen, Startwert {seed}. {how}.</translation>
    </message>
</context>
<context>
    <name>ScaleQuestion</name>
    <message>
        <source>between “{one}” and “{other}”</source>
        <translation>zwischen „{one}“ und „{other}“</translation>
    </message>
</context>
<context>
    <name>ScoredTextPane</name>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Use sentence</source>
        <translation>Satz übernehmen</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>What does the text say about this point?</source>
        <translation>Was sagt der Text zu diesem Punkt?</translation>
    </message>
    <message>
        <source>Agrees</source>
        <translation>Stimmt zu</translation>
    </message>
    <message>
        <source>Disagrees</source>
        <translation>Widerspricht</translation>
    </message>
    <message>
        <source>Silent</source>
        <translation>Schweigt</translation>
    </message>
    <message>
        <source>Text {n} of {total}</source>
        <translation>Text {n} von {total}</translation>
    </message>
    <message>
        <source>gold</source>
        <translation>Mustertext</translation>
    </message>
    <message>
        <source>About: {quote}</source>
        <translation>Zu: {quote}</translation>
    </message>
    <message>
        <source>The same text occurs at {n} places.</source>
        <translation>Derselbe Text kommt an {n} Stellen vor.</translation>
    </message>
</context>
<context>
    <name>ScoresPage</name>
    <message>
        <source>Scores</source>
        <translation>Wertungen</translation>
    </message>
    <message>
        <source>Scores by rater</source>
        <translation>Wertungen nach Person</translation>
    </message>
    <message>
        <source>Back to the texts</source>
        <translation>Zurück zu den Texten</translation>
    </message>
    <message>
        <source>Scores by hand</source>
        <translation>Wertungen von Hand</translation>
    </message>
    <message>
        <source>Scores by the model {model}</source>
        <translation>Wertungen durch das Modell {model}</translation>
    </message>
    <message>
        <source>AV: mean over all points. AMV: mean over the points with the boldest answer of each topic. AFV, AFMV: the same over the two topics with the most points. RC: recall of the gold points, which also works with one gold text. Silence scores 0.5.</source>
        <translation>AV: Mittel über alle Punkte. AMV: Mittel über den Punkt jedes Themas mit der gewagtesten Antwort. AFV, AFMV: dasselbe über die zwei Themen mit den meisten Punkten. RC: Trefferquote bei den Musterpunkten, auch mit nur einem Mustertext. Schweigen ergibt 0,5.</translation>
    </message>
    <message>
        <source>{scored} of {total} raters’ texts are scored. The report shows {rule} as the text score.</source>
        <translation>{scored} von {total} Texten der Bewertenden sind gewertet. Der Bericht zeigt {rule} als Textwertung.</translation>
    </message>
    <message>
        <source>Texts with points counted as silent because the model’s answers were unusable: {n}.</source>
        <translation>Texte mit Punkten, die als schweigend zählen, weil die Antworten des Modells unbrauchbar waren: {n}.</translation>
    </message>
    <message>
        <source>Rater</source>
        <translation>Person</translation>
    </message>
    <message>
        <source>Texts</source>
        <translation>Texte</translation>
    </message>
    <message>
        <source>{rater} (model)</source>
        <translation>{rater} (Modell)</translation>
    </message>
    <message>
        <source>{scored} of {written}</source>
        <translation>{scored} von {written}</translation>
    </message>
</context>
<context>
    <name>Scoring</name>
    <message>
        <source>agrees</source>
        <translation>stimmt zu</translation>
    </message>
    <message>
        <source>disagrees</source>
        <translation>widerspricht</translation>
    </message>
    <message>
        <source>silent</source>
        <translation>schweigt</translation>
    </message>
    <message>
        <source>open</source>
        <translation>offen</translation>
    </message>
    <message>
        <source>General</source>
        <translation>Allgemein</translation>
    </message>
</context>
<context>
    <name>ScoringPage</name>
    <message>
        <source>Score justifications</source>
        <translation>Begründungen werten</translation>
    </message>
    <message>
        <source>Grade texts</source>
        <translation>Texte benoten</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Language model…</source>
        <translation>Sprachmodell …</translation>
    </message>
    <message>
        <source>Scores</source>
        <translation>Wertungen</translation>
    </message>
    <message>
        <source>Back to the report</source>
        <translation>Zurück zum Bericht</translation>
    </message>
    <message>
        <source>No gold texts yet</source>
        <translation>Noch keine Mustertexte</translation>
    </message>
    <message>
        <source>Raters’ texts are scored against gold texts, and there are none. Open your copy of the bundle with its gold answers ({key} in the report), or choose raters whose texts count as gold (G).</source>
        <translation>Die Texte der Bewertenden werden an Mustertexten gemessen, und es gibt noch keine. Öffnen Sie Ihr Exemplar des Bündels mit den Musterantworten ({key} im Bericht), oder wählen Sie Bewertende, deren Texte als Muster gelten (G).</translation>
    </message>
    <message>
        <source>Points of the whole bundle</source>
        <translation>Punkte des ganzen Bündels</translation>
    </message>
    <message>
        <source>Points of each place</source>
        <translation>Punkte jeder Stelle</translation>
    </message>
    <message>
        <source>Scope of the points</source>
        <translation>Geltung der Punkte</translation>
    </message>
    <message>
        <source>Gold texts only</source>
        <translation>Nur Mustertexte</translation>
    </message>
    <message>
        <source>Texts that count as gold</source>
        <translation>Texte, die als Muster gelten</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Frage</translation>
    </message>
    <message>
        <source>{done} of {total} texts</source>
        <translation>{done} von {total} Texten</translation>
    </message>
    <message>
        <source>{done} of 1 text</source>
        <translation>{done} von 1 Text</translation>
    </message>
</context>
<context>
    <name>ScoringScreen</name>
    <message>
        <source>Loading the raters’ texts</source>
        <translation>Die Texte der Bewertenden werden geladen</translation>
    </message>
    <message>
        <source>{done} of 1 text answered; answers are saved automatically</source>
        <translation>{done} von 1 Text beantwortet; Antworten werden automatisch gespeichert</translation>
    </message>
    <message>
        <source>the model is running</source>
        <translation>das Modell läuft</translation>
    </message>
    <message>
        <source>{done} of {total} texts answered; answers are saved automatically</source>
        <translation>{done} von {total} Texten beantwortet; Antworten werden automatisch gespeichert</translation>
    </message>
</context>
<context>
    <name>ScreenTabs</name>
    <message>
        <source>Screens</source>
        <translation>Räume</translation>
    </message>
    <message>
        <source>Rate</source>
        <translation>Bewerten</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>Prüfung</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>Systems</source>
        <translation>Systeme</translation>
    </message>
    <message>
        <source>Rubric</source>
        <translation>Fragebogen</translation>
    </message>
</context>
<context>
    <name>Session</name>
    <message>
        <source>This claim is only proposed: Z confirms it, Delete takes it out.</source>
        <translation>Diese Aussage ist nur vorgeschlagen: Z bestätigt sie, Entf nimmt sie heraus.</translation>
    </message>
    <message>
        <source>This task has as many claims and pieces of evidence as can be checked.</source>
        <translation>Mehr Aussagen und Belege lassen sich in dieser Aufgabe nicht prüfen.</translation>
    </message>
    <message>
        <source>There are no unconfirmed suggestions here.</source>
        <translation>Hier gibt es keine unbestätigten Vorschläge.</translation>
    </message>
    <message>
        <source>Select a target first: only targets have borders.</source>
        <translation>Wählen Sie zuerst eine Stelle: Nur Stellen haben Grenzen.</translation>
    </message>
    <message>
        <source>Select the words that the target should contain.</source>
        <translation>Wählen Sie die Wörter aus, die zur Stelle gehören sollen.</translation>
    </message>
    <message>
        <source>Claims can&apos;t be recorded here.</source>
        <translation>Hier lassen sich keine Aussagen festhalten.</translation>
    </message>
    <message>
        <source>Select the words of the claim within this target, then press L.</source>
        <translation>Wählen Sie die Wörter der Aussage innerhalb dieser Stelle aus und drücken Sie L.</translation>
    </message>
    <message>
        <source>No evidence is needed here.</source>
        <translation>Hier sind keine Belege nötig.</translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message>
        <source>Rater</source>
        <translation>Bewertende Person</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Darstellung</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>Arbeit</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>Hub</source>
        <translation>Hub</translation>
    </message>
    <message>
        <source>Language model</source>
        <translation>Sprachmodell</translation>
    </message>
    <message>
        <source>Updates</source>
        <translation>Aktualisierung</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>Follow the system</source>
        <translation>Wie im System eingestellt</translation>
    </message>
    <message>
        <source>Your name in ratings</source>
        <translation>Ihr Name in Bewertungen</translation>
    </message>
    <message>
        <source>Earlier ratings keep the name under which they were made.</source>
        <translation>Frühere Bewertungen behalten den bisherigen Namen.</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>Rolle</translation>
    </message>
    <message>
        <source>QA lead</source>
        <translation>Prüfleitung</translation>
    </message>
    <message>
        <source>QA leads have three additional screens: review, report and systems.</source>
        <translation>Für die Prüfleitung gibt es drei weitere Ansichten: Prüfung, Bericht und Systeme.</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Contrast</source>
        <translation>Kontrast</translation>
    </message>
    <message>
        <source>High</source>
        <translation>Hoch</translation>
    </message>
    <message>
        <source>Normal</source>
        <translation>Normal</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Text size of responses</source>
        <translation>Schriftgröße der Antworten</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Questions are always shown in the language of their rubric.</source>
        <translation>Fragen erscheinen immer in der Sprache ihres Fragebogens.</translation>
    </message>
    <message>
        <source>Pause the timer after</source>
        <translation>Zeitmessung ohne Eingabe anhalten nach</translation>
    </message>
    <message>
        <source>Open with</source>
        <translation>Beim Start zeigen</translation>
    </message>
    <message>
        <source>The start page</source>
        <translation>Startseite</translation>
    </message>
    <message>
        <source>Where I left off</source>
        <translation>Zuletzt bearbeitete Aufgabe</translation>
    </message>
    <message>
        <source>Goal: targets a day</source>
        <translation>Tagesziel: Stellen am Tag</translation>
    </message>
    <message>
        <source>0: no goal. Only you see it.</source>
        <translation>0: kein Ziel. Nur Sie sehen es.</translation>
    </message>
    <message>
        <source>Mark differences between two responses</source>
        <translation>Unterschiede zwischen zwei Antworten markieren</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>By sentence</source>
        <translation>Satzweise</translation>
    </message>
    <message>
        <source>Scroll two responses</source>
        <translation>Zwei Antworten scrollen</translation>
    </message>
    <message>
        <source>Separately</source>
        <translation>Einzeln</translation>
    </message>
    <message>
        <source>Together</source>
        <translation>Gemeinsam</translation>
    </message>
    <message>
        <source>Check the spelling of comments</source>
        <translation>Rechtschreibung der Kommentare prüfen</translation>
    </message>
    <message>
        <source>In the task&apos;s language</source>
        <translation>In der Sprache der Aufgabe</translation>
    </message>
    <message>
        <source>With the dictionaries that the system has.</source>
        <translation>Mit den Wörterbüchern des Systems.</translation>
    </message>
    <message>
        <source>Text blocks</source>
        <translation>Textbausteine</translation>
    </message>
    <message>
        <source>In a comment, type ; and the name of a block, then Tab.</source>
        <translation>Im Kommentar ; und den Namen eintippen: Tab setzt den Baustein ein.</translation>
    </message>
    <message>
        <source>Search for a claim with</source>
        <translation>Aussagen suchen mit</translation>
    </message>
    <message>
        <source>The text of the claim is sent to the search engine. Google results require JavaScript.</source>
        <translation>Der Text der Aussage wird an die Suchmaschine gesendet. Ergebnisse von Google erfordern JavaScript.</translation>
    </message>
    <message>
        <source>Company proxy</source>
        <translation>Proxy Ihrer Firma</translation>
    </message>
    <message>
        <source>http://host:port, or empty for none. All pages are then loaded through the proxy, and only the proxy blocks private addresses.</source>
        <translation>http://host:port, oder leer für keinen. Alle Seiten werden dann über den Proxy geladen, und nur er sperrt private Adressen.</translation>
    </message>
    <message>
        <source>Sync automatically every</source>
        <translation>Automatisch abgleichen alle</translation>
    </message>
    <message>
        <source>0: sync only manually.</source>
        <translation>0: nur manuell abgleichen.</translation>
    </message>
    <message>
        <source>Warn after no sync for</source>
        <translation>Warnen ohne Abgleich seit</translation>
    </message>
    <message>
        <source>Notify when work arrives</source>
        <translation>Melden, wenn Arbeit eintrifft</translation>
    </message>
    <message>
        <source>On</source>
        <translation>An</translation>
    </message>
    <message>
        <source>Only while the window is in the background. The message names no task.</source>
        <translation>Nur, solange das Fenster im Hintergrund ist. Die Meldung nennt keine Aufgabe.</translation>
    </message>
    <message>
        <source>Certificate file</source>
        <translation>Zertifikatsdatei</translation>
    </message>
    <message>
        <source>A PEM file, needed if the hub&apos;s certificate is not issued by a public authority. Your project tells you if you need one.</source>
        <translation>Eine PEM-Datei, nötig, wenn das Zertifikat des Hubs nicht von einer öffentlichen Stelle stammt. Ihr Projekt teilt Ihnen mit, ob Sie eine brauchen.</translation>
    </message>
    <message>
        <source>Endpoint address</source>
        <translation>Adresse des Endpunkts</translation>
    </message>
    <message>
        <source>Needed only to score justifications, or to let a model propose how a target is split into claims, for example https://host/v1. The texts concerned are sent there.</source>
        <translation>Nur nötig, um Begründungen zu werten oder ein Modell vorschlagen zu lassen, wie eine Stelle in Aussagen geteilt wird, zum Beispiel https://host/v1. Die betroffenen Texte werden dorthin gesendet.</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Price per million input tokens</source>
        <translation>Preis je Million Eingabe-Token</translation>
    </message>
    <message>
        <source>Price per million output tokens</source>
        <translation>Preis je Million Ausgabe-Token</translation>
    </message>
    <message>
        <source>In any currency. Costs are shown only if both prices are set.</source>
        <translation>In beliebiger Währung. Kosten werden nur angezeigt, wenn beide Preise angegeben sind.</translation>
    </message>
    <message>
        <source>Place of updates</source>
        <translation>Ort der Aktualisierungen</translation>
    </message>
    <message>
        <source>A folder, an https:// address, or hub for your team&apos;s hub. Your project tells you.</source>
        <translation>Ein Ordner, eine https://-Adresse, oder hub für den Hub des Teams. Ihr Projekt nennt ihn.</translation>
    </message>
    <message>
        <source>Look for updates</source>
        <translation>Nach Aktualisierungen suchen</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Nie</translation>
    </message>
    <message>
        <source>Once a day</source>
        <translation>Einmal am Tag</translation>
    </message>
    <message>
        <source>Only at that place. Nothing is installed.</source>
        <translation>Nur an diesem Ort. Installiert wird nichts.</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>No dictionary for {language} is installed, so its spelling is not checked. Install libenchant and a Hunspell dictionary.</source>
        <translation>Für {language} ist kein Wörterbuch installiert, deshalb wird die Rechtschreibung nicht geprüft. Installieren Sie libenchant und ein Hunspell-Wörterbuch.</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>Bearbeiten …</translation>
    </message>
</context>
<context>
    <name>SignInFields</name>
    <message>
        <source>webdavs://host/path, s3://bucket/prefix, or folder: and a path.</source>
        <translation>webdavs://host/pfad, s3://bucket/prefix oder folder: und ein Pfad.</translation>
    </message>
    <message>
        <source>Folder …</source>
        <translation>Ordner …</translation>
    </message>
    <message>
        <source>File …</source>
        <translation>Datei …</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Access key id</source>
        <translation>Zugriffsschlüssel-ID</translation>
    </message>
    <message>
        <source>User</source>
        <translation>Benutzername</translation>
    </message>
    <message>
        <source>Secret key</source>
        <translation>Geheimer Schlüssel</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>Kennwort</translation>
    </message>
    <message>
        <source>Certificate file</source>
        <translation>Zertifikatsdatei</translation>
    </message>
    <message>
        <source>Choose a certificate file</source>
        <translation>Zertifikatsdatei wählen</translation>
    </message>
    <message>
        <source>Choose a folder as the hub</source>
        <translation>Ordner als Hub wählen</translation>
    </message>
    <message>
        <source>Only if your project gave you a certificate file</source>
        <translation>Nur, wenn Ihr Projekt Ihnen eine Zertifikatsdatei gegeben hat</translation>
    </message>
</context>
<context>
    <name>Skip</name>
    <message>
        <source>Cut off</source>
        <translation>Abgeschnitten</translation>
    </message>
    <message>
        <source>Wrong language</source>
        <translation>Falsche Sprache</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>Doppelt</translation>
    </message>
    <message>
        <source>Harmful</source>
        <translation>Schädlich</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>Anderes</translation>
    </message>
</context>
<context>
    <name>SkipBar</name>
    <message>
        <source>Skip the whole task: why can&apos;t it be rated?</source>
        <translation>Ganze Aufgabe überspringen: Warum ist sie nicht zu bewerten?</translation>
    </message>
    <message>
        <source>Comment</source>
        <translation>Kommentar</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Skip the task</source>
        <translation>Aufgabe überspringen</translation>
    </message>
</context>
<context>
    <name>SourceBadge</name>
    <message>
        <source>Guideline</source>
        <translation>Leitfaden</translation>
    </message>
    <message>
        <source>This project’s rule</source>
        <translation>Projektregel</translation>
    </message>
    <message>
        <source>edition {edition}</source>
        <translation>Ausgabe {edition}</translation>
    </message>
    <message>
        <source>The guideline states this.</source>
        <translation>So steht es im Leitfaden.</translation>
    </message>
    <message>
        <source>The guideline does not state this; this project decided it.</source>
        <translation>Im Leitfaden steht das nicht; dieses Projekt hat es so festgelegt.</translation>
    </message>
</context>
<context>
    <name>Spelling</name>
    <message>
        <source>“{text}”</source>
        <translation>„{text}“</translation>
    </message>
</context>
<context>
    <name>SpellingHelp</name>
    <message>
        <source>Add to my words</source>
        <translation>Zu meinen Wörtern hinzufügen</translation>
    </message>
</context>
<context>
    <name>SpokenCount</name>
    <message>
        <source>1 target</source>
        <translation>1 Stelle</translation>
    </message>
    <message>
        <source>1 response</source>
        <translation>1 Antwort</translation>
    </message>
    <message>
        <source>1 pair</source>
        <translation>1 Paaraufgabe</translation>
    </message>
    <message>
        <source>1 task</source>
        <translation>1 Aufgabe</translation>
    </message>
    <message>
        <source>{n} targets</source>
        <translation>{n} Stellen</translation>
    </message>
    <message>
        <source>{n} responses</source>
        <translation>{n} Antworten</translation>
    </message>
    <message>
        <source>{n} pairs</source>
        <translation>{n} Paaraufgaben</translation>
    </message>
    <message>
        <source>{n} tasks</source>
        <translation>{n} Aufgaben</translation>
    </message>
</context>
<context>
    <name>SpokenSize</name>
    <message>
        <source>{n} MB</source>
        <translation>{n} MB</translation>
    </message>
    <message>
        <source>1 revision</source>
        <translation>1 Stand</translation>
    </message>
    <message>
        <source>{n} revisions</source>
        <translation>{n} Stände</translation>
    </message>
</context>
<context>
    <name>SpokenTime</name>
    <message>
        <source>about {n} h left</source>
        <translation>noch etwa {n} h</translation>
    </message>
    <message>
        <source>about {n} min left</source>
        <translation>noch etwa {n} min</translation>
    </message>
    <message>
        <source>{hours} h {minutes} min</source>
        <translation>{hours} h {minutes} min</translation>
    </message>
    <message>
        <source>{minutes} min</source>
        <translation>{minutes} min</translation>
    </message>
    <message>
        <source>d MMMM yyyy</source>
        <translation>d. MMMM yyyy</translation>
    </message>
    <message>
        <source>{library} of {day}</source>
        <translation>{library} vom {day}</translation>
    </message>
    <message>
        <source>ddd d MMM</source>
        <translation>ddd d. MMM</translation>
    </message>
    <message>
        <source>d MMM yyyy</source>
        <translation>d. MMM yyyy</translation>
    </message>
    <message>
        <source>HH:mm:ss</source>
        <translation>HH:mm:ss</translation>
    </message>
    <message>
        <source>HH:mm</source>
        <translation>HH:mm</translation>
    </message>
    <message>
        <source>{day}, {time}</source>
        <translation>{day}, {time}</translation>
    </message>
</context>
<context>
    <name>Stance</name>
    <message>
        <source>Supports</source>
        <translation>Stützt</translation>
    </message>
    <message>
        <source>Contradicts</source>
        <translation>Widerspricht</translation>
    </message>
    <message>
        <source>Does not decide</source>
        <translation>Entscheidet nicht</translation>
    </message>
    <message>
        <source>a copy</source>
        <translation>eine Kopie</translation>
    </message>
    <message>
        <source>unreliable</source>
        <translation>unzuverlässig</translation>
    </message>
    <message>
        <source>off topic</source>
        <translation>sachfremd</translation>
    </message>
    <message>
        <source>undecided</source>
        <translation>unentschieden</translation>
    </message>
    <message>
        <source>no reason given</source>
        <translation>kein Grund angegeben</translation>
    </message>
    <message>
        <source>{stance}: {reason}</source>
        <translation>{stance}: {reason}</translation>
    </message>
    <message>
        <source>A copy</source>
        <translation>Kopie</translation>
    </message>
    <message>
        <source>Unreliable</source>
        <translation>Unzuverlässig</translation>
    </message>
    <message>
        <source>Off topic</source>
        <translation>Sachfremd</translation>
    </message>
    <message>
        <source>Undecided</source>
        <translation>Unentschieden</translation>
    </message>
    <message>
        <source>Why?</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>Why does the page not decide?</source>
        <translation>Warum entscheidet die Seite nicht?</translation>
    </message>
</context>
<context>
    <name>Start</name>
    <message>
        <source>sent back</source>
        <translation>zurückgegeben</translation>
    </message>
    <message>
        <source>imported {day}</source>
        <translation>eingelesen {day}</translation>
    </message>
    <message>
        <source>exported {day}</source>
        <translation>ausgegeben {day}</translation>
    </message>
    <message>
        <source>from the hub {day}</source>
        <translation>vom Hub {day}</translation>
    </message>
    <message>
        <source>1 target</source>
        <translation>1 Stelle</translation>
    </message>
    <message>
        <source>1 response</source>
        <translation>1 Antwort</translation>
    </message>
    <message>
        <source>1 pair</source>
        <translation>1 Paaraufgabe</translation>
    </message>
    <message>
        <source>1 task</source>
        <translation>1 Aufgabe</translation>
    </message>
    <message>
        <source>{n} targets</source>
        <translation>{n} Stellen</translation>
    </message>
    <message>
        <source>{n} responses</source>
        <translation>{n} Antworten</translation>
    </message>
    <message>
        <source>{n} pairs</source>
        <translation>{n} Paaraufgaben</translation>
    </message>
    <message>
        <source>{n} tasks</source>
        <translation>{n} Aufgaben</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <translation>{done} von {total}</translation>
    </message>
    <message>
        <source>not started</source>
        <translation>nicht begonnen</translation>
    </message>
    <message>
        <source>in progress</source>
        <translation>begonnen</translation>
    </message>
    <message>
        <source>done, not handed in</source>
        <translation>fertig, nicht abgegeben</translation>
    </message>
    <message>
        <source>handed in</source>
        <translation>abgegeben</translation>
    </message>
    <message>
        <source>Sentence by sentence</source>
        <translation>Satz für Satz</translation>
    </message>
    <message>
        <source>Response by response</source>
        <translation>Antwort für Antwort</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>Nebeneinander</translation>
    </message>
    <message>
        <source>Task by task</source>
        <translation>Aufgabe für Aufgabe</translation>
    </message>
    <message>
        <source>Library missing: {names}</source>
        <translation>Bibliothek fehlt: {names}</translation>
    </message>
    <message>
        <source>practice</source>
        <translation>Übung</translation>
    </message>
    <message>
        <source>sample</source>
        <translation>Beispiel</translation>
    </message>
    <message>
        <source>hidden</source>
        <translation>weggelegt</translation>
    </message>
    <message>
        <source>1 sent back</source>
        <translation>1 zurückgegeben</translation>
    </message>
    <message>
        <source>{n} sent back</source>
        <translation>{n} zurückgegeben</translation>
    </message>
    <message>
        <source>It is to be researched in libraries that are missing here:
{names}.
Get them from the hub with `library fetch`, or ask your lead for them.</source>
        <translation>Dafür soll in Bibliotheken gesucht werden, die hier fehlen:
{names}.
Holen Sie sie mit `library fetch` vom Hub, oder bitten Sie die Prüfleitung darum.</translation>
    </message>
    <message>
        <source>Nothing to do</source>
        <translation>Nichts zu tun</translation>
    </message>
    <message>
        <source>No due date</source>
        <translation>Ohne Frist</translation>
    </message>
    <message>
        <source>{day}, {time}</source>
        <translation>{day}, {time}</translation>
    </message>
    <message>
        <source>today</source>
        <translation>heute</translation>
    </message>
    <message>
        <source>tomorrow</source>
        <translation>morgen</translation>
    </message>
    <message>
        <source>1 day late</source>
        <translation>1 Tag überfällig</translation>
    </message>
    <message>
        <source>in {n} days</source>
        <translation>in {n} Tagen</translation>
    </message>
    <message>
        <source>{n} days late</source>
        <translation>{n} Tage überfällig</translation>
    </message>
    <message>
        <source>first due first</source>
        <translation>nach Fälligkeit</translation>
    </message>
    <message>
        <source>recent first</source>
        <translation>zuletzt Bearbeitetes zuerst</translation>
    </message>
    <message>
        <source>by name</source>
        <translation>nach Namen</translation>
    </message>
    <message>
        <source>Came back from the lead</source>
        <translation>Zurück von der Prüfleitung</translation>
    </message>
    <message>
        <source>Due first</source>
        <translation>Zuerst fällig</translation>
    </message>
    <message>
        <source>Not started yet</source>
        <translation>Noch nicht begonnen</translation>
    </message>
    <message>
        <source>Where you left off</source>
        <translation>Zuletzt bearbeitet</translation>
    </message>
    <message>
        <source>target {n} of {total}</source>
        <translation>Stelle {n} von {total}</translation>
    </message>
    <message>
        <source>response {n} of {total}</source>
        <translation>Antwort {n} von {total}</translation>
    </message>
    <message>
        <source>today at {time}</source>
        <translation>heute um {time}</translation>
    </message>
    <message>
        <source>There are results of raters here to review, and no tasks to rate. What is your role?</source>
        <translation>Hier gibt es Ergebnisse zu prüfen und keine Aufgaben zu bewerten. Was ist Ihre Rolle?</translation>
    </message>
    <message>
        <source>QA lead</source>
        <translation>Prüfleitung</translation>
    </message>
    <message>
        <source>Rater</source>
        <translation>Bewertende Person</translation>
    </message>
</context>
<context>
    <name>StartPage</name>
    <message>
        <source>Start page</source>
        <translation>Startseite</translation>
    </message>
    <message>
        <source>Where you left off</source>
        <translation>Zuletzt bearbeitet</translation>
    </message>
    <message>
        <source>New here? Five steps on the sample show how a task is rated.</source>
        <translation>Neu hier? Fünf Schritte am Beispiel zeigen, wie eine Aufgabe bewertet wird.</translation>
    </message>
    <message>
        <source>Guided first task</source>
        <translation>Geführte erste Aufgabe</translation>
    </message>
    <message>
        <source>No bundle is in the list.</source>
        <translation>Kein Bündel steht in der Liste.</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Sort by …</source>
        <translation>Sortieren …</translation>
    </message>
    <message>
        <source>Open a file …</source>
        <translation>Datei öffnen …</translation>
    </message>
    <message>
        <source>Bundles</source>
        <translation>Bündel</translation>
    </message>
    <message>
        <source>Came back from the lead</source>
        <translation>Zurück von der Prüfleitung</translation>
    </message>
    <message>
        <source>Open the first</source>
        <translation>Erste öffnen</translation>
    </message>
    <message>
        <source>Today and this week</source>
        <translation>Heute und diese Woche</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>Letzte Dateien</translation>
    </message>
    <message>
        <source>Export …</source>
        <translation>Ausgeben …</translation>
    </message>
    <message>
        <source>New on the hub</source>
        <translation>Neu auf dem Hub</translation>
    </message>
    <message>
        <source>Get</source>
        <translation>Holen</translation>
    </message>
    <message>
        <source>Read changes</source>
        <translation>Änderungen lesen</translation>
    </message>
    <message>
        <source>Sync now</source>
        <translation>Jetzt abgleichen</translation>
    </message>
</context>
<context>
    <name>StartScreen</name>
    <message>
        <source>Start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>↑ ↓ bundle · Enter continue · M more · F6 next part</source>
        <translation>↑ ↓ Bündel · Enter weiter · M mehr · F6 nächster Teil</translation>
    </message>
    <message>
        <source>1 bundle is hidden</source>
        <translation>1 Bündel ist weggelegt</translation>
    </message>
    <message>
        <source>{n} bundles are hidden</source>
        <translation>{n} Bündel sind weggelegt</translation>
    </message>
    <message>
        <source>Leave them out</source>
        <translation>Nicht zeigen</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Show in the list again</source>
        <translation>Zurückholen</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>Weglegen</translation>
    </message>
    <message>
        <source>Details and revisions…</source>
        <translation>Details und Stände …</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>Entfernen …</translation>
    </message>
    <message>
        <source>Unexpected error.</source>
        <translation>Unerwarteter Fehler.</translation>
    </message>
</context>
<context>
    <name>StateChip</name>
    <message>
        <source>answered</source>
        <translation>beantwortet</translation>
    </message>
    <message>
        <source>blocked</source>
        <translation>gesperrt</translation>
    </message>
    <message>
        <source>a warning</source>
        <translation>eine Warnung</translation>
    </message>
    <message>
        <source>not answered</source>
        <translation>nicht beantwortet</translation>
    </message>
</context>
<context>
    <name>StateStrip</name>
    <message>
        <source>Targets</source>
        <translation>Stellen</translation>
    </message>
    <message>
        <source>{done} of {total} done</source>
        <translation>{done} von {total} fertig</translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
    <message>
        <source>{n} %</source>
        <translation>{n} %</translation>
    </message>
    <message>
        <source>Zoom {n} %</source>
        <translation>Größe {n} %</translation>
    </message>
    <message>
        <source>Saved {time}</source>
        <translation>Gespeichert {time}</translation>
    </message>
    <message>
        <source>Not saved. Retrying …</source>
        <translation>Nicht gespeichert. Neuer Versuch läuft …</translation>
    </message>
    <message>
        <source>{time} active today</source>
        <translation>{time} heute</translation>
    </message>
    <message>
        <source>1 response</source>
        <translation>1 Antwort</translation>
    </message>
    <message>
        <source>{n} responses</source>
        <translation>{n} Antworten</translation>
    </message>
    <message>
        <source>1 target</source>
        <translation>1 Stelle</translation>
    </message>
    <message>
        <source>{n} targets</source>
        <translation>{n} Stellen</translation>
    </message>
    <message>
        <source>{words}, paused</source>
        <translation>{words}, angehalten</translation>
    </message>
    <message>
        <source>{minutes}:{seconds:02d} on this target</source>
        <translation>{minutes}:{seconds:02d} an dieser Stelle</translation>
    </message>
    <message>
        <source>Keys navigate the page</source>
        <translation>Tasten steuern die Seite</translation>
    </message>
    <message>
        <source>Keys answer</source>
        <translation>Tasten antworten</translation>
    </message>
    <message>
        <source>Typing (Esc to leave)</source>
        <translation>Texteingabe (Esc zum Verlassen)</translation>
    </message>
    <message>
        <source>Keys navigate</source>
        <translation>Tasten steuern</translation>
    </message>
</context>
<context>
    <name>StepMenuButton</name>
    <message>
        <source>Step {n} of {total}</source>
        <translation>Schritt {n} von {total}</translation>
    </message>
    <message>
        <source>{total} steps</source>
        <translation>{total} Schritte</translation>
    </message>
</context>
<context>
    <name>Stepper</name>
    <message>
        <source>Order of work</source>
        <translation>Reihenfolge der Arbeit</translation>
    </message>
</context>
<context>
    <name>StopModel</name>
    <message>
        <source>current</source>
        <translation>aktuell</translation>
    </message>
    <message>
        <source>selected</source>
        <translation>ausgewählt</translation>
    </message>
    <message>
        <source>claim {n} of {total}</source>
        <translation>Aussage {n} von {total}</translation>
    </message>
    <message>
        <source>{n} of {total}</source>
        <translation>{n} von {total}</translation>
    </message>
    <message>
        <source>blocked</source>
        <translation>gesperrt</translation>
    </message>
    <message>
        <source>sent back: {reasons}</source>
        <translation>zurückgegeben: {reasons}</translation>
    </message>
    <message>
        <source>sent back</source>
        <translation>zurückgegeben</translation>
    </message>
    <message>
        <source>to do</source>
        <translation>offen</translation>
    </message>
    <message>
        <source>begun</source>
        <translation>begonnen</translation>
    </message>
    <message>
        <source>done</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>suggested</source>
        <translation>vorgeschlagen</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>übersprungen</translation>
    </message>
</context>
<context>
    <name>StoreCheck</name>
    <message>
        <source>The latest answers may be missing: the program ended without closing the store, and the store&apos;s log file has since disappeared.</source>
        <translation>Die letzten Antworten fehlen möglicherweise: Das Programm wurde beendet, ohne die Ablage zu schließen, und deren Protokolldatei fehlt seitdem.</translation>
    </message>
    <message>
        <source>Check the store</source>
        <translation>Ablage prüfen</translation>
    </message>
    <message>
        <source>Your answers are saved, but the journal beside the store can&apos;t be written. Until it can, a damaged store can be recovered only from its backups.</source>
        <translation>Ihre Antworten sind gespeichert, aber das Journal neben der Ablage kann nicht geschrieben werden. Solange das so ist, lässt sich eine beschädigte Ablage nur aus ihren Sicherungen wiederherstellen.</translation>
    </message>
    <message>
        <source>The store is damaged.</source>
        <translation>Die Ablage ist beschädigt.</translation>
    </message>
</context>
<context>
    <name>StoreCheckDialog</name>
    <message>
        <source>Check the store</source>
        <translation>Ablage prüfen</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>Recover the store …</source>
        <translation>Ablage wiederherstellen …</translation>
    </message>
    <message>
        <source>Restore a backup …</source>
        <translation>Sicherung zurückholen …</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Reading the store …</source>
        <translation>Die Ablage wird gelesen …</translation>
    </message>
    <message>
        <source>Reading the store: {n} of {total} checks</source>
        <translation>Die Ablage wird gelesen: {n} von {total} Prüfungen</translation>
    </message>
    <message>
        <source>No faults found in the store.</source>
        <translation>In der Ablage wurden keine Fehler gefunden.</translation>
    </message>
    <message>
        <source>1 fault in the store</source>
        <translation>1 Fehler in der Ablage</translation>
    </message>
    <message>
        <source>{n} faults in the store</source>
        <translation>{n} Fehler in der Ablage</translation>
    </message>
    <message>
        <source>Faults</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Hinweise</translation>
    </message>
    <message>
        <source>The store can&apos;t be checked.</source>
        <translation>Die Ablage kann nicht geprüft werden.</translation>
    </message>
</context>
<context>
    <name>StorePlace</name>
    <message>
        <source>Another program changed the files of the store in {folder}, and no new store can be written beside it. Your answers are only in this window: do not close it. Trying again every {n} s.</source>
        <translation>Ein anderes Programm hat die Dateien der Ablage in {folder} verändert, und daneben lässt sich keine neue Ablage anlegen. Ihre Antworten sind nur in diesem Fenster: Schließen Sie es nicht. Neuer Versuch alle {n} s.</translation>
    </message>
    <message>
        <source>Another program changed the files of the store in {origin} while it was open. Nothing is lost: all your answers are in a new store, in which you go on: {folder}</source>
        <translation>Ein anderes Programm hat die Dateien der Ablage in {origin} verändert, während sie geöffnet war. Nichts ist verloren: Alle Ihre Antworten sind in einer neuen Ablage, in der Sie weiterarbeiten: {folder}</translation>
    </message>
    <message>
        <source>Open the store at its old place</source>
        <translation>Ablage am alten Ort öffnen</translation>
    </message>
    <message>
        <source>The program ended without closing the store, and another program has replaced the store&apos;s file since. The answers that it lacks are in {folder}.</source>
        <translation>Das Programm endete, ohne die Ablage zu schließen, und ein anderes Programm hat ihre Datei seitdem ersetzt. Die Antworten, die ihr fehlen, sind in {folder}.</translation>
    </message>
    <message>
        <source>Answers that this store lacks are in another store, which was moved out of it: {folder}</source>
        <translation>Antworten, die dieser Ablage fehlen, sind in einer anderen, die aus ihr entstanden ist: {folder}</translation>
    </message>
    <message>
        <source>Join the stores</source>
        <translation>Ablagen zusammenführen</translation>
    </message>
    <message>
        <source>The store is in a folder of {program}, which may replace its files while you work. Put the store into another folder; a hub brings your work to other computers.</source>
        <translation>Die Ablage liegt in einem Ordner von {program}, das ihre Dateien ersetzen kann, während Sie arbeiten. Legen Sie sie in einen anderen Ordner; ein Hub bringt Ihre Arbeit auf andere Computer.</translation>
    </message>
    <message>
        <source>Connect a hub …</source>
        <translation>Hub verbinden …</translation>
    </message>
    <message>
        <source>Joining the stores …</source>
        <translation>Die Ablagen werden zusammengeführt …</translation>
    </message>
    <message>
        <source>The stores are joined. Added: {revisions}.</source>
        <translation>Die Ablagen sind zusammengeführt. Hinzugefügt: {revisions}.</translation>
    </message>
    <message>
        <source>Continued in both stores, to be reviewed again: {names}.</source>
        <translation>In beiden Ablagen fortgesetzt, erneut durchzusehen: {names}.</translation>
    </message>
</context>
<context>
    <name>StoredPagePane</name>
    <message>
        <source>Stored page</source>
        <translation>Gespeicherte Seite</translation>
    </message>
    <message>
        <source>Fetch again and compare</source>
        <translation>Neu abrufen und vergleichen</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Loading the stored page</source>
        <translation>Die gespeicherte Seite wird geladen</translation>
    </message>
    <message>
        <source>No page is stored for this address. It was not included in the results.</source>
        <translation>Zu dieser Adresse ist keine Seite gespeichert. Sie war nicht in den Ergebnissen enthalten.</translation>
    </message>
    <message>
        <source>Only these results have a page of this address</source>
        <translation>Nur diese Ergebnisse enthalten eine Seite dieser Adresse</translation>
    </message>
    <message>
        <source>Results of other raters with a page of this address: {n}</source>
        <translation>Ergebnisse anderer Personen mit einer Seite dieser Adresse: {n}</translation>
    </message>
    <message>
        <source>Fetching the page</source>
        <translation>Die Seite wird abgerufen</translation>
    </message>
    <message>
        <source>The page has the same text now.</source>
        <translation>Die Seite hat jetzt denselben Text.</translation>
    </message>
    <message>
        <source>The same as far as compared; the pages are long.</source>
        <translation>Gleich, soweit verglichen; die Seiten sind lang.</translation>
    </message>
    <message>
        <source>Sentences of the stored page that are not on the page now: {n}. New ones: {m}.</source>
        <translation>Sätze der abgelegten Seite, die jetzt fehlen: {n}. Neue Sätze: {m}.</translation>
    </message>
    <message>
        <source>Show the differences</source>
        <translation>Unterschiede zeigen</translation>
    </message>
    <message>
        <source>Show the stored page</source>
        <translation>Die abgelegte Seite zeigen</translation>
    </message>
    <message>
        <source>Only on the stored page</source>
        <translation>Nur auf der abgelegten Seite</translation>
    </message>
    <message>
        <source>Only on the page now</source>
        <translation>Nur auf der jetzigen Seite</translation>
    </message>
    <message>
        <source>{address}. The exact quote was not found on the page.</source>
        <translation>{address}. Das Zitat wurde nicht wörtlich auf der Seite gefunden.</translation>
    </message>
</context>
<context>
    <name>StoredSearch</name>
    <message>
        <source>Where did I read this</source>
        <translation>Wo habe ich das gelesen</translation>
    </message>
    <message>
        <source>Find in the stored pages</source>
        <translation>In den abgelegten Seiten finden</translation>
    </message>
    <message>
        <source>Words from the page</source>
        <translation>Wörter von der Seite</translation>
    </message>
    <message>
        <source>Stored pages with these words</source>
        <translation>Abgelegte Seiten mit diesen Wörtern</translation>
    </message>
    <message>
        <source>Searches the text of every page opened in this bundle.</source>
        <translation>Durchsucht den Text aller Seiten, die in diesem Bündel geöffnet wurden.</translation>
    </message>
    <message>
        <source>No stored page of this bundle has these words.</source>
        <translation>Keine abgelegte Seite dieses Bündels hat diese Wörter.</translation>
    </message>
    <message>
        <source>The best {n} pages</source>
        <translation>Die {n} besten Seiten</translation>
    </message>
    <message>
        <source>1 page</source>
        <translation>1 Seite</translation>
    </message>
    <message>
        <source>{n} pages</source>
        <translation>{n} Seiten</translation>
    </message>
    <message>
        <source>1 stored page is still being read.</source>
        <translation>1 abgelegte Seite wird noch gelesen.</translation>
    </message>
    <message>
        <source>{n} stored pages are still being read.</source>
        <translation>{n} abgelegte Seiten werden noch gelesen.</translation>
    </message>
    <message>
        <source>results of {rater}</source>
        <translation>Ergebnisse von {rater}</translation>
    </message>
</context>
<context>
    <name>Stores</name>
    <message>
        <source>Read-only: this store was made by an older version and has not been updated.</source>
        <translation>Nur lesen: Diese Ablage stammt aus einer älteren Version und wurde nicht aktualisiert.</translation>
    </message>
    <message>
        <source>Read-only: nothing can be written to {folder}. {why}</source>
        <translation>Nur lesen: In {folder} kann nichts geschrieben werden. {why}</translation>
    </message>
    <message>
        <source>Read-only: another program writes to this store.</source>
        <translation>Nur lesen: Ein anderes Programm schreibt in diese Ablage.</translation>
    </message>
    <message>
        <source>Read-only: another window has it open (process {pid} on {host}, since {since}).</source>
        <translation>Nur lesen: Ein anderes Fenster hat sie offen (Prozess {pid} auf {host}, seit {since}).</translation>
    </message>
    <message>
        <source>Read-only: {command} writes to it (process {pid} on {host}, since {since}).</source>
        <translation>Nur lesen: {command} schreibt darin (Prozess {pid} auf {host}, seit {since}).</translation>
    </message>
    <message>
        <source>{day} at {minute} UTC</source>
        <translation>{day} um {minute} UTC</translation>
    </message>
</context>
<context>
    <name>SuggestionBar</name>
    <message>
        <source>Confirm</source>
        <translation>Bestätigen</translation>
    </message>
    <message>
        <source>Whole task</source>
        <translation>Ganze Aufgabe</translation>
    </message>
    <message>
        <source>Confirm every suggestion of this task</source>
        <translation>Alle Vorschläge dieser Aufgabe bestätigen</translation>
    </message>
    <message>
        <source>Suggested: {answers}</source>
        <translation>Vorschlag: {answers}</translation>
    </message>
</context>
<context>
    <name>SyncNotices</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Sync now</source>
        <translation>Jetzt abgleichen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Hub …</source>
        <translation>Hub …</translation>
    </message>
    <message>
        <source>The lead&apos;s key of this hub is {key}. From now on only what is signed with it counts as the lead&apos;s. Compare the key with theirs.</source>
        <translation>Der Schlüssel der Prüfleitung auf diesem Hub ist {key}. Ab jetzt gilt nur als von ihr, was damit unterschrieben ist. Vergleichen Sie ihn mit dem, den die Prüfleitung Ihnen nennt.</translation>
    </message>
    <message>
        <source>Sign in …</source>
        <translation>Anmelden …</translation>
    </message>
    <message>
        <source>1 transfer failed: {why}</source>
        <translation>1 Übertragung ist fehlgeschlagen: {why}</translation>
    </message>
    <message>
        <source>{n} transfers failed: {why}</source>
        <translation>{n} Übertragungen sind fehlgeschlagen: {why}</translation>
    </message>
    <message>
        <source>1 upload was sent and verified.</source>
        <translation>1 Sendung wurde übertragen und geprüft.</translation>
    </message>
    <message>
        <source>{n} uploads were sent and verified.</source>
        <translation>{n} Sendungen wurden übertragen und geprüft.</translation>
    </message>
    <message>
        <source>Synced.</source>
        <translation>Abgeglichen.</translation>
    </message>
    <message>
        <source>There was nothing new.</source>
        <translation>Es gab nichts Neues.</translation>
    </message>
    <message>
        <source>{bundle} was not sent: 1 task is not finished.</source>
        <translation>{bundle} wurde nicht gesendet: 1 Aufgabe ist nicht fertig.</translation>
    </message>
    <message>
        <source>{bundle} was not sent: {n} tasks are not finished.</source>
        <translation>{bundle} wurde nicht gesendet: {n} Aufgaben sind nicht fertig.</translation>
    </message>
    <message>
        <source>{bundle} was not sent: it did not come from this hub.</source>
        <translation>{bundle} wurde nicht gesendet: Es kam nicht von diesem Hub.</translation>
    </message>
    <message>
        <source>{bundle} was not sent: {why}</source>
        <translation>{bundle} wurde nicht gesendet: {why}</translation>
    </message>
    <message>
        <source>Another computer has also sent results of {bundles}. Both are on the hub, and the QA lead sees both.</source>
        <translation>Auch ein anderer Rechner hat Ergebnisse von {bundles} gesendet. Beide liegen auf dem Hub, und die Prüfleitung sieht beide.</translation>
    </message>
</context>
<context>
    <name>TakeBar</name>
    <message>
        <source>Take as evidence</source>
        <translation>Als Beleg nehmen</translation>
    </message>
    <message>
        <source>Extend by a sentence</source>
        <translation>Einen Satz mehr</translation>
    </message>
    <message>
        <source>Extend</source>
        <translation>Erweitern</translation>
    </message>
    <message>
        <source>Choose a sentence</source>
        <translation>Einen Satz wählen</translation>
    </message>
    <message>
        <source>No evidence is needed here.</source>
        <translation>Hier sind keine Belege nötig.</translation>
    </message>
    <message>
        <source>What is selected on the live page, for {place}</source>
        <translation>Auswahl auf der Live-Seite, für {place}</translation>
    </message>
    <message>
        <source>Nothing selected, for {place}</source>
        <translation>Nichts gewählt, für {place}</translation>
    </message>
    <message>
        <source>The marked passage ({n} words), for {place}</source>
        <translation>Markierte Passage ({n} Wörter), für {place}</translation>
    </message>
    <message>
        <source>1 word selected, for {place}</source>
        <translation>1 Wort gewählt, für {place}</translation>
    </message>
    <message>
        <source>{n} words selected, for {place}</source>
        <translation>{n} Wörter gewählt, für {place}</translation>
    </message>
    <message>
        <source>target {n}</source>
        <translation>Stelle {n}</translation>
    </message>
    <message>
        <source>response {name}</source>
        <translation>Antwort {name}</translation>
    </message>
    <message>
        <source>the task</source>
        <translation>die Aufgabe</translation>
    </message>
</context>
<context>
    <name>TargetLabelRow</name>
    <message>
        <source>Whole target: the worst of its claims</source>
        <translation>Ganze Stelle: schlechteste Aussage</translation>
    </message>
    <message>
        <source>so far, not all are confirmed</source>
        <translation>bisher, nicht alle bestätigt</translation>
    </message>
    <message>
        <source>so far</source>
        <translation>bisher</translation>
    </message>
    <message>
        <source>so far, {claim} is open</source>
        <translation>bisher, {claim} ist offen</translation>
    </message>
    <message>
        <source>so far, {n} are open</source>
        <translation>bisher, {n} sind offen</translation>
    </message>
</context>
<context>
    <name>TargetStrip</name>
    <message>
        <source>Targets</source>
        <translation>Stellen</translation>
    </message>
    <message>
        <source>{n} more before</source>
        <translation>davor noch {n}</translation>
    </message>
    <message>
        <source>{n} more after</source>
        <translation>danach noch {n}</translation>
    </message>
</context>
<context>
    <name>TaskList</name>
    <message>
        <source>Tasks</source>
        <translation>Aufgaben</translation>
    </message>
    <message>
        <source>Filter by state</source>
        <translation>Nach Stand filtern</translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>Filter löschen</translation>
    </message>
    <message>
        <source>1 put away …</source>
        <translation>1 weggelegt …</translation>
    </message>
    <message>
        <source>{n} put away …</source>
        <translation>{n} weggelegt …</translation>
    </message>
    <message>
        <source>No tasks match the filter.</source>
        <translation>Keine Aufgaben entsprechen dem Filter.</translation>
    </message>
    <message>
        <source>This bundle has no tasks.</source>
        <translation>Dieses Bündel hat keine Aufgaben.</translation>
    </message>
    <message>
        <source>{n} tasks can’t be searched yet.</source>
        <translation>{n} Aufgaben können noch nicht durchsucht werden.</translation>
    </message>
    <message>
        <source>of {total}</source>
        <translation>von {total}</translation>
    </message>
    <message>
        <source>All {n}</source>
        <translation>Alle {n}</translation>
    </message>
    <message>
        <source>To do {n}</source>
        <translation>Offen {n}</translation>
    </message>
    <message>
        <source>Blocked {n}</source>
        <translation>Gesperrt {n}</translation>
    </message>
</context>
<context>
    <name>TaskListButton</name>
    <message>
        <source>Task list, {key}</source>
        <translation>Aufgabenliste, {key}</translation>
    </message>
</context>
<context>
    <name>TaskModel</name>
    <message>
        <source>{n} of {total}</source>
        <translation>{n} von {total}</translation>
    </message>
    <message>
        <source>skipped: {why}</source>
        <translation>übersprungen: {why}</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>übersprungen</translation>
    </message>
    <message>
        <source>{count}, blocked</source>
        <translation>{count}, gesperrt</translation>
    </message>
    <message>
        <source>blocked</source>
        <translation>gesperrt</translation>
    </message>
    <message>
        <source>1 problem</source>
        <translation>1 Problem</translation>
    </message>
    <message>
        <source>{n} problems</source>
        <translation>{n} Probleme</translation>
    </message>
    <message>
        <source>to do</source>
        <translation>offen</translation>
    </message>
    <message>
        <source>begun</source>
        <translation>begonnen</translation>
    </message>
    <message>
        <source>done</source>
        <translation>fertig</translation>
    </message>
</context>
<context>
    <name>TaskOutput</name>
    <message>
        <source>Evidence</source>
        <translation>Belege</translation>
    </message>
    <message>
        <source>Response</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Response {name}</source>
        <translation>Antwort {name}</translation>
    </message>
    <message>
        <source>Task {name}</source>
        <translation>Aufgabe {name}</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Anfrage</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>Vorlage</translation>
    </message>
    <message>
        <source>Target {n}</source>
        <translation>Stelle {n}</translation>
    </message>
    <message>
        <source>Claim {n}</source>
        <translation>Aussage {n}</translation>
    </message>
    <message>
        <source>Skipped: {reason}</source>
        <translation>Übersprungen: {reason}</translation>
    </message>
    <message>
        <source>Note to the QA lead</source>
        <translation>Notiz an die Prüfleitung</translation>
    </message>
</context>
<context>
    <name>TaskPreview</name>
    <message>
        <source>The task, as the rater sees it</source>
        <translation>Die Aufgabe, wie Bewertende sie sehen</translation>
    </message>
    <message>
        <source>No task</source>
        <translation>Keine Aufgabe</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Anfrage</translation>
    </message>
    <message>
        <source>Response</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>1 tool call</source>
        <translation>1 Werkzeugaufruf</translation>
    </message>
    <message>
        <source>{n} tool calls</source>
        <translation>{n} Werkzeugaufrufe</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>Vorlage</translation>
    </message>
    <message>
        <source>Claims</source>
        <translation>Aussagen</translation>
    </message>
    <message>
        <source>Labels, which the rater does not see here</source>
        <translation>Einstufungen, die Bewertende hier nicht sehen</translation>
    </message>
    <message>
        <source>Without a place in the response</source>
        <translation>Ohne Platz in der Antwort</translation>
    </message>
</context>
<context>
    <name>TaskRail</name>
    <message>
        <source>Tasks</source>
        <translation>Aufgaben</translation>
    </message>
    <message>
        <source>of {total}</source>
        <translation>von {total}</translation>
    </message>
</context>
<context>
    <name>TaskSearch</name>
    <message>
        <source>everything of this task</source>
        <translation>ganze Aufgabe</translation>
    </message>
    <message>
        <source>in the reference</source>
        <translation>in der Vorlage</translation>
    </message>
    <message>
        <source>in the prompt</source>
        <translation>in der Anfrage</translation>
    </message>
    <message>
        <source>in turn {n} of the conversation</source>
        <translation>in Runde {n} des Gesprächs</translation>
    </message>
    <message>
        <source>in the response</source>
        <translation>in der Antwort</translation>
    </message>
    <message>
        <source>in response {name}</source>
        <translation>in Antwort {name}</translation>
    </message>
    <message>
        <source>in the Markdown source</source>
        <translation>im Markdown-Quelltext</translation>
    </message>
    <message>
        <source>in the output of {name}</source>
        <translation>in der Ausgabe von {name}</translation>
    </message>
    <message>
        <source>in the input of {name}</source>
        <translation>in der Eingabe von {name}</translation>
    </message>
    <message>
        <source>in the name of a tool</source>
        <translation>im Namen eines Werkzeugs</translation>
    </message>
    <message>
        <source>{place}, response {name}</source>
        <translation>{place}, Antwort {name}</translation>
    </message>
    <message>
        <source>in the document {name}</source>
        <translation>im Dokument {name}</translation>
    </message>
    <message>
        <source>in the title of a document</source>
        <translation>im Titel eines Dokuments</translation>
    </message>
</context>
<context>
    <name>TaskTextPane</name>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>{id}, turn {n} of {turns}</source>
        <translation>{id}, Runde {n} von {turns}</translation>
    </message>
</context>
<context>
    <name>Text</name>
    <message>
        <source>Only in the source: {parts}</source>
        <translation>Nur im Quelltext: {parts}</translation>
    </message>
    <message>
        <source>{box} marks characters that can’t be seen: {names}</source>
        <translation>{box} markiert verborgene Zeichen: {names}</translation>
    </message>
    <message>
        <source>Picture at {host}</source>
        <translation>Bild auf {host}</translation>
    </message>
</context>
<context>
    <name>TextBlocksDialog</name>
    <message>
        <source>Text blocks</source>
        <translation>Textbausteine</translation>
    </message>
    <message>
        <source>In a comment, type ; and the name, then Tab: the text takes its place.</source>
        <translation>Im Kommentar ; und den Namen eintippen: Tab setzt den Text ein.</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>TextInputBar</name>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Begun earlier, not recorded yet.</source>
        <translation>Früher begonnen, noch nicht erfasst.</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
</context>
<context>
    <name>TextLimit</name>
    <message>
        <source>Nothing was inserted: the field would hold {n} characters, and takes at most {most}.</source>
        <translation>Nichts wurde eingefügt: Das Feld hätte dann {n} Zeichen, erlaubt sind höchstens {most}.</translation>
    </message>
</context>
<context>
    <name>TextQuestion</name>
    <message>
        <source>Write, W</source>
        <translation>Schreiben, W</translation>
    </message>
    <message>
        <source>Suggested: {text}</source>
        <translation>Vorschlag: {text}</translation>
    </message>
</context>
<context>
    <name>TokenF1</name>
    <message>
        <source>Overlap of words between both texts: 0 means none, 1 means all.</source>
        <translation>Übereinstimmung der Wörter beider Texte: 0 bedeutet keine, 1 bedeutet alle.</translation>
    </message>
</context>
<context>
    <name>TokenF1Label</name>
    <message>
        <source>Token F1 with the reference: not computed, the texts are too long</source>
        <translation>Token-F1 mit der Vorlage: nicht berechnet, die Texte sind zu lang</translation>
    </message>
    <message>
        <source>Token F1 with the reference: {figure}</source>
        <translation>Token-F1 mit der Vorlage: {figure}</translation>
    </message>
</context>
<context>
    <name>ToolCallList</name>
    <message>
        <source>Tool calls</source>
        <translation>Werkzeugaufrufe</translation>
    </message>
</context>
<context>
    <name>ToolChip</name>
    <message>
        <source>Tool output of {name}, T</source>
        <translation>Werkzeugausgabe von {name}, T</translation>
    </message>
</context>
<context>
    <name>ToolChips</name>
    <message>
        <source>Tool calls</source>
        <translation>Werkzeugaufrufe</translation>
    </message>
</context>
<context>
    <name>ToolComparison</name>
    <message>
        <source>The responses of this task have no tool output.</source>
        <translation>Die Antworten dieser Aufgabe haben keine Werkzeugausgabe.</translation>
    </message>
    <message>
        <source>{n} in the tool output, {m} differ, {k} not there. Only a help for reading.</source>
        <translation>{n} in der Werkzeugausgabe, {m} weichen ab, {k} fehlen dort. Nur eine Lesehilfe.</translation>
    </message>
</context>
<context>
    <name>ToolOutput</name>
    <message>
        <source>Output of the tool call</source>
        <translation>Ausgabe des Werkzeugs</translation>
    </message>
    <message>
        <source>Copy value</source>
        <translation>Wert kopieren</translation>
    </message>
    <message>
        <source>Copy row</source>
        <translation>Zeile kopieren</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>Pfad kopieren</translation>
    </message>
    <message>
        <source>Select all of the value</source>
        <translation>Ganzen Wert auswählen</translation>
    </message>
    <message>
        <source>Open the page</source>
        <translation>Seite öffnen</translation>
    </message>
    <message>
        <source>Copy the address</source>
        <translation>Adresse kopieren</translation>
    </message>
    <message>
        <source>Output, {time}</source>
        <translation>Ausgabe, {time}</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>(nothing)</source>
        <translation>(nichts)</translation>
    </message>
    <message>
        <source>Copy output</source>
        <translation>Ausgabe kopieren</translation>
    </message>
    <message>
        <source>Copy input</source>
        <translation>Eingabe kopieren</translation>
    </message>
    <message>
        <source>Copy name</source>
        <translation>Namen kopieren</translation>
    </message>
</context>
<context>
    <name>ToolView</name>
    <message>
        <source>Tool calls</source>
        <translation>Werkzeugaufrufe</translation>
    </message>
    <message>
        <source>Tool output: this response called no tools</source>
        <translation>Werkzeugausgabe: keine Werkzeuge genutzt</translation>
    </message>
    <message>
        <source>Tool output: {n} calls, output not stored</source>
        <translation>Werkzeugausgabe: {n} Aufrufe, Ausgabe nicht gespeichert</translation>
    </message>
    <message>
        <source>Tool output: 1 call, output not stored</source>
        <translation>Werkzeugausgabe: 1 Aufruf, Ausgabe nicht gespeichert</translation>
    </message>
    <message>
        <source>Tool output: the call returned no result</source>
        <translation>Werkzeugausgabe: Aufruf ohne Ergebnis</translation>
    </message>
    <message>
        <source>Tool output: {n} of {total} calls returned no result</source>
        <translation>Werkzeugausgabe: {n} von {total} Aufrufen ohne Ergebnis</translation>
    </message>
    <message>
        <source>Tool output: 1 call</source>
        <translation>Werkzeugausgabe: 1 Aufruf</translation>
    </message>
    <message>
        <source>Tool output: {n} calls</source>
        <translation>Werkzeugausgabe: {n} Aufrufe</translation>
    </message>
</context>
<context>
    <name>ToolWords</name>
    <message>
        <source>(nothing)</source>
        <translation>(nichts)</translation>
    </message>
    <message>
        <source>ok</source>
        <translation>ok</translation>
    </message>
    <message>
        <source>no results</source>
        <translation>ohne Treffer</translation>
    </message>
    <message>
        <source>empty result</source>
        <translation>leeres Ergebnis</translation>
    </message>
    <message>
        <source>error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>output not stored</source>
        <translation>Ausgabe nicht gespeichert</translation>
    </message>
    <message>
        <source>ok, output not recorded</source>
        <translation>ok, Ausgabe nicht aufgezeichnet</translation>
    </message>
    <message>
        <source>{day}, {time} UTC</source>
        <translation>{day}, {time} UTC</translation>
    </message>
</context>
<context>
    <name>Transfer</name>
    <message>
        <source>Importing {name}</source>
        <translation>{name} wird eingelesen</translation>
    </message>
    <message>
        <source>Not exported: the latest answers are not saved yet. Try again once they are saved.</source>
        <translation>Nicht ausgegeben: Die letzten Antworten sind noch nicht gespeichert. Versuchen Sie es erneut, sobald sie gespeichert sind.</translation>
    </message>
    <message>
        <source>Exporting to {name}</source>
        <translation>Ausgabe nach {name}</translation>
    </message>
    <message>
        <source>Export finished tasks…</source>
        <translation>Fertige Aufgaben ausgeben …</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>{name}: {done} of {total}</source>
        <translation>{name}: {done} von {total}</translation>
    </message>
    <message>
        <source>Unexpected error.</source>
        <translation>Unerwarteter Fehler.</translation>
    </message>
    <message>
        <source>{n} more files failed.</source>
        <translation>{n} weitere Dateien sind fehlgeschlagen.</translation>
    </message>
    <message>
        <source>1 was left out: </source>
        <translation>1 fehlt: </translation>
    </message>
    <message>
        <source>{n} were left out: </source>
        <translation>{n} fehlen: </translation>
    </message>
    <message>
        <source>, and more.</source>
        <translation> und mehr.</translation>
    </message>
    <message>
        <source>Ignored: {what}</source>
        <translation>Nicht beachtet: {what}</translation>
    </message>
    <message>
        <source>Import revision {n} anyway</source>
        <translation>Stand {n} trotzdem einlesen</translation>
    </message>
    <message>
        <source>Go to revision {n}</source>
        <translation>Zu Stand {n} wechseln</translation>
    </message>
    <message>
        <source>The bundle is put away.</source>
        <translation>Das Bündel ist weggelegt.</translation>
    </message>
    <message>
        <source>Bring it back</source>
        <translation>Zurückholen</translation>
    </message>
    <message>
        <source>Accept close matches</source>
        <translation>Auch ähnliche Stellen nehmen</translation>
    </message>
    <message>
        <source>{name}: nothing to import, {bundle} is already in the store.</source>
        <translation>{name}: Nichts einzulesen, {bundle} ist schon in der Ablage.</translation>
    </message>
    <message>
        <source>{name}: not imported, since revision {current} of {bundle} is in the store.</source>
        <translation>{name}: Nicht eingelesen, da Stand {current} von {bundle} schon in der Ablage ist.</translation>
    </message>
    <message>
        <source>{name}: imported {n} tasks of {bundle}, revision {revision}.</source>
        <translation>{name}: {n} Aufgaben von {bundle}, Stand {revision}, eingelesen.</translation>
    </message>
    <message>
        <source>{name}: imported 1 task of {bundle}, revision {revision}.</source>
        <translation>{name}: 1 Aufgabe von {bundle}, Stand {revision}, eingelesen.</translation>
    </message>
    <message>
        <source>1 unfinished task was not exported.</source>
        <translation>1 unfertige Aufgabe wurde nicht ausgegeben.</translation>
    </message>
    <message>
        <source>{n} unfinished tasks were not exported.</source>
        <translation>{n} unfertige Aufgaben wurden nicht ausgegeben.</translation>
    </message>
    <message>
        <source>Signed with your key {key}.</source>
        <translation>Mit Ihrem Schlüssel {key} unterschrieben.</translation>
    </message>
    <message>
        <source>1 stored page was omitted: it has been altered on the disk.</source>
        <translation>1 abgelegte Seite wurde ausgelassen: Sie wurde auf der Platte verändert.</translation>
    </message>
    <message>
        <source>{n} stored pages were omitted: they have been altered on the disk.</source>
        <translation>{n} abgelegte Seiten wurden ausgelassen: Sie wurden auf der Platte verändert.</translation>
    </message>
    <message>
        <source>Go to the first task</source>
        <translation>Zur ersten Aufgabe</translation>
    </message>
    <message>
        <source>Not exported: no task is finished yet.</source>
        <translation>Nicht ausgegeben: Noch ist keine Aufgabe fertig.</translation>
    </message>
    <message>
        <source>Not exported: {what}</source>
        <translation>Nicht ausgegeben: {what}</translation>
    </message>
    <message>
        <source>Exported 1 rating to {name} in {folder}.</source>
        <translation>1 Bewertung nach {name} in {folder} ausgegeben.</translation>
    </message>
    <message>
        <source>Exported {n} ratings to {name} in {folder}.</source>
        <translation>{n} Bewertungen nach {name} in {folder} ausgegeben.</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>Im Ordner zeigen</translation>
    </message>
    <message>
        <source>Export finished tasks</source>
        <translation>Fertige Aufgaben ausgeben</translation>
    </message>
    <message>
        <source>{tasks} and {n} more</source>
        <translation>{tasks} und {n} weiteren</translation>
    </message>
    <message>
        <source>problems block 1 task: {tasks}.</source>
        <translation>Probleme sperren 1 Aufgabe: {tasks}.</translation>
    </message>
    <message>
        <source>problems block {n} tasks: {tasks}.</source>
        <translation>Probleme sperren {n} Aufgaben: {tasks}.</translation>
    </message>
    <message>
        <source>1 blocking problem in {tasks}.</source>
        <translation>1 sperrendes Problem in {tasks}.</translation>
    </message>
    <message>
        <source>{n} blocking problems in {tasks}.</source>
        <translation>{n} sperrende Probleme in {tasks}.</translation>
    </message>
    <message>
        <source>1 task is not finished: {tasks}.</source>
        <translation>1 Aufgabe ist nicht fertig: {tasks}.</translation>
    </message>
    <message>
        <source>{n} tasks are not finished: {tasks}.</source>
        <translation>{n} Aufgaben sind nicht fertig: {tasks}.</translation>
    </message>
</context>
<context>
    <name>UnsavedBanner</name>
    <message>
        <source>Try now</source>
        <translation>Jetzt versuchen</translation>
    </message>
    <message>
        <source>The disk failed temporarily. All answers are saved now. Check the disk, then the store (menu Help).</source>
        <translation>Der Datenträger war vorübergehend gestört. Jetzt sind alle Antworten gespeichert. Prüfen Sie den Datenträger, dann die Ablage (Menü Hilfe).</translation>
    </message>
    <message>
        <source>Your answers in {tasks} are not saved. They are kept in memory; saving is retried every {n} s.</source>
        <translation>Ihre Antworten in {tasks} sind nicht gespeichert. Sie bleiben im Arbeitsspeicher; alle {n} s folgt ein neuer Versuch.</translation>
    </message>
    <message>
        <source>{tasks} and {n} more</source>
        <translation>{tasks} und {n} weiteren</translation>
    </message>
</context>
<context>
    <name>UpdateNotice</name>
    <message>
        <source>Desktop Rater {new} is available. You have {installed}.</source>
        <translation>Desktop Rater {new} ist verfügbar. Installiert ist {installed}.</translation>
    </message>
    <message>
        <source>Don&apos;t look for updates</source>
        <translation>Nicht suchen</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>Herunterladen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Downloading …</source>
        <translation>Wird heruntergeladen …</translation>
    </message>
    <message>
        <source>Downloading … {percent} %</source>
        <translation>Wird heruntergeladen … {percent} %</translation>
    </message>
    <message>
        <source>The update is in {path}, and verified. Close the program, then install it.</source>
        <translation>Die Aktualisierung liegt in {path} und ist geprüft. Schließen Sie das Programm und installieren Sie sie dann.</translation>
    </message>
</context>
<context>
    <name>UpdatePage</name>
    <message>
        <source>Desktop Rater</source>
        <translation>Desktop Rater</translation>
    </message>
    <message>
        <source>Updating the store</source>
        <translation>Die Ablage wird aktualisiert</translation>
    </message>
    <message>
        <source>It was made by an older version of this program. It is backed up first, then updated and opened.</source>
        <translation>Sie stammt aus einer älteren Version dieses Programms. Sie wird zuerst gesichert, dann aktualisiert und geöffnet.</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Jetzt nicht</translation>
    </message>
    <message>
        <source>Backing it up …</source>
        <translation>Sie wird gesichert …</translation>
    </message>
    <message>
        <source>Checking the backup …</source>
        <translation>Die Sicherung wird geprüft …</translation>
    </message>
    <message>
        <source>Updating its tables …</source>
        <translation>Die Tabellen werden aktualisiert …</translation>
    </message>
    <message>
        <source>Stopping …</source>
        <translation>Es wird abgebrochen …</translation>
    </message>
</context>
<context>
    <name>ValueView</name>
    <message>
        <source>Previous part</source>
        <translation>Voriger Teil</translation>
    </message>
    <message>
        <source>Next part</source>
        <translation>Nächster Teil</translation>
    </message>
    <message>
        <source>Input and output of the tool call</source>
        <translation>Eingabe und Ausgabe des Werkzeugs</translation>
    </message>
    <message>
        <source>{n} characters</source>
        <translation>{n} Zeichen</translation>
    </message>
    <message>
        <source>part {n} of {total}</source>
        <translation>Teil {n} von {total}</translation>
    </message>
</context>
<context>
    <name>VerdictBar</name>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Accept</source>
        <translation>Annehmen</translation>
    </message>
    <message>
        <source>Correct …</source>
        <translation>Berichtigen …</translation>
    </message>
    <message>
        <source>Send back …</source>
        <translation>Zurückgeben …</translation>
    </message>
    <message>
        <source>Because</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>Comment for the rater</source>
        <translation>Anmerkung an die bewertende Person</translation>
    </message>
    <message>
        <source>Send back</source>
        <translation>Zurückgeben</translation>
    </message>
    <message>
        <source>{rater}’s rating</source>
        <translation>Bewertung von {rater}</translation>
    </message>
    <message>
        <source>No rating</source>
        <translation>Keine Bewertung</translation>
    </message>
    <message>
        <source>Your answer</source>
        <translation>Ihre Antwort</translation>
    </message>
    <message>
        <source>Keep the correction</source>
        <translation>Berichtigung behalten</translation>
    </message>
    <message>
        <source>What should the rater look at again?</source>
        <translation>Was ist noch einmal anzusehen?</translation>
    </message>
    <message>
        <source>Reason for the correction (optional)</source>
        <translation>Grund der Berichtigung (optional)</translation>
    </message>
</context>
<context>
    <name>VerdictCommands</name>
    <message>
        <source>{n} of {m} raters say the same</source>
        <translation>{n} von {m} Bewertenden sagen dasselbe</translation>
    </message>
    <message>
        <source>{n} of {m} raters and the model say the same</source>
        <translation>{n} von {m} Bewertenden und das Modell sagen dasselbe</translation>
    </message>
    <message>
        <source>Answer first. Press M to open the form.</source>
        <translation>Antworten Sie zuerst. M öffnet die Fragen.</translation>
    </message>
    <message>
        <source>Draft not sent. Press B to continue.</source>
        <translation>Entwurf nicht gesendet. Weiter mit B.</translation>
    </message>
    <message>
        <source>{kind}: for an earlier rating</source>
        <translation>{kind}: zu einer früheren Bewertung</translation>
    </message>
    <message>
        <source>{kind}: {why}</source>
        <translation>{kind}: {why}</translation>
    </message>
    <message>
        <source>Your answer: {label}</source>
        <translation>Ihre Antwort: {label}</translation>
    </message>
    <message>
        <source>No final label. Press L to decide.</source>
        <translation>Kein endgültiges Ergebnis. Entscheiden mit L.</translation>
    </message>
    <message>
        <source>Open: {labels}. Press L to decide.</source>
        <translation>Offen: {labels}. Entscheiden mit L.</translation>
    </message>
    <message>
        <source>Final: {label}, by you</source>
        <translation>Endgültig: {label}, von Ihnen</translation>
    </message>
    <message>
        <source>Final: {label}</source>
        <translation>Endgültig: {label}</translation>
    </message>
    <message>
        <source>Final: {label}, taken from {method} in bulk</source>
        <translation>Endgültig: {label}, gesammelt übernommen: {method}</translation>
    </message>
    <message>
        <source>Final: {label}, {share} by {method}</source>
        <translation>Endgültig: {label}, {share} nach {method}</translation>
    </message>
    <message>
        <source>{question}: no final answer. Press L to decide.</source>
        <translation>{question}: keine endgültige Antwort. Entscheiden mit L.</translation>
    </message>
    <message>
        <source>No label is chosen. Press the key of one, or Shift X to leave this place open.</source>
        <translation>Es ist kein Ergebnis gewählt. Wählen Sie eines mit seiner Taste, oder lassen Sie die Stelle mit Umschalt X offen.</translation>
    </message>
    <message>
        <source>The final label is</source>
        <translation>Endgültig ist</translation>
    </message>
    <message>
        <source>1 place was decided.</source>
        <translation>1 Stelle wurde entschieden.</translation>
    </message>
    <message>
        <source>{n} places were decided.</source>
        <translation>{n} Stellen wurden entschieden.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
</context>
<context>
    <name>VotesPanel</name>
    <message>
        <source>Votes</source>
        <translation>Stimmen</translation>
    </message>
    <message>
        <source>What decides</source>
        <translation>Was entscheidet</translation>
    </message>
</context>
<context>
    <name>WeekCard</name>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>This week</source>
        <translation>Diese Woche</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Ändern</translation>
    </message>
    <message>
        <source>Targets and active time of this week</source>
        <translation>Stellen und aktive Zeit dieser Woche</translation>
    </message>
    <message>
        <source>Only you see these figures.</source>
        <translation>Nur Sie sehen diese Zahlen.</translation>
    </message>
    <message>
        <source>Show as table</source>
        <translation>Als Tabelle zeigen</translation>
    </message>
    <message>
        <source>Show as bars</source>
        <translation>Als Balken zeigen</translation>
    </message>
    <message>
        <source>{time} active</source>
        <translation>{time} aktiv</translation>
    </message>
    <message>
        <source>Set a goal</source>
        <translation>Ziel setzen</translation>
    </message>
    <message>
        <source>No goal is set.</source>
        <translation>Kein Tagesziel gesetzt.</translation>
    </message>
    <message>
        <source>Your goal of {goal} a day is reached.</source>
        <translation>Tagesziel von {goal} erreicht.</translation>
    </message>
    <message>
        <source>{n} to go to your goal of {goal} a day</source>
        <translation>Noch {n} bis zum Tagesziel von {goal}</translation>
    </message>
</context>
<context>
    <name>WorkStepModel</name>
    <message>
        <source>Prompt</source>
        <translation>Anfrage</translation>
    </message>
    <message>
        <source>Response</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Response {name}</source>
        <translation>Antwort {name}</translation>
    </message>
    <message>
        <source>tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>{response}: {step}</source>
        <translation>{response}: {step}</translation>
    </message>
    <message>
        <source>{n} of {total}</source>
        <translation>{n} von {total}</translation>
    </message>
    <message>
        <source>current</source>
        <translation>aktuell</translation>
    </message>
    <message>
        <source>to do</source>
        <translation>offen</translation>
    </message>
    <message>
        <source>done</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>blocked</source>
        <translation>gesperrt</translation>
    </message>
    <message>
        <source>a warning</source>
        <translation>eine Warnung</translation>
    </message>
</context>
<context>
    <name>WritingCommands</name>
    <message>
        <source>Text blocks</source>
        <translation>Textbausteine</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>Bearbeiten …</translation>
    </message>
</context>
<context>
    <name>WritingOffers</name>
    <message>
        <source>Offered, Tab takes it: {text}</source>
        <translation>Vorschlag, Tab nimmt ihn: {text}</translation>
    </message>
</context>
</TS>
