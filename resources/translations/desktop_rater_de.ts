<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
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
        <source>Open results…</source>
        <translation>Ergebnisse öffnen …</translation>
    </message>
    <message>
        <source>Open a folder of results…</source>
        <translation>Ordner mit Ergebnissen öffnen …</translation>
    </message>
    <message>
        <source>Open the sample</source>
        <translation>Beispiel öffnen</translation>
    </message>
    <message>
        <source>Open the practice sample</source>
        <translation>Übungsbeispiel öffnen</translation>
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
        <source>Confirm the suggestions here</source>
        <translation>Vorschläge hier bestätigen</translation>
    </message>
    <message>
        <source>Confirm the suggestion for this question</source>
        <translation>Vorschlag zu dieser Frage bestätigen</translation>
    </message>
    <message>
        <source>Confirm every suggestion of this task</source>
        <translation>Alle Vorschläge dieser Aufgabe bestätigen</translation>
    </message>
    <message>
        <source>Write the comment</source>
        <translation>Kommentar schreiben</translation>
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
        <source>Go on</source>
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
        <source>Add every link copied</source>
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
        <source>Reader or page</source>
        <translation>Leseansicht oder Seite</translation>
    </message>
    <message>
        <source>Search the web for this claim</source>
        <translation>Diese Aussage im Web suchen</translation>
    </message>
    <message>
        <source>Page before</source>
        <translation>Seite davor</translation>
    </message>
    <message>
        <source>Page after</source>
        <translation>Seite danach</translation>
    </message>
    <message>
        <source>Fetch the page again</source>
        <translation>Seite neu abrufen</translation>
    </message>
    <message>
        <source>Open in the browser of the system…</source>
        <translation>Im Browser des Systems öffnen …</translation>
    </message>
    <message>
        <source>Fetch the links of this task</source>
        <translation>Links dieser Aufgabe abrufen</translation>
    </message>
    <message>
        <source>Fetch every link of this bundle</source>
        <translation>Alle Links dieses Bündels abrufen</translation>
    </message>
    <message>
        <source>All of the page, or its main text alone</source>
        <translation>Die ganze Seite, oder nur ihr Haupttext</translation>
    </message>
    <message>
        <source>Where did I read this…</source>
        <translation>Wo habe ich das gelesen …</translation>
    </message>
    <message>
        <source>It supports</source>
        <translation>Sie stützt</translation>
    </message>
    <message>
        <source>It contradicts</source>
        <translation>Sie widerspricht</translation>
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
        <source>Task list</source>
        <translation>Aufgabenliste</translation>
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
        <source>Tool output</source>
        <translation>Werkzeugausgabe</translation>
    </message>
    <message>
        <source>Documents of the context</source>
        <translation>Dokumente des Kontexts</translation>
    </message>
    <message>
        <source>Next citation</source>
        <translation>Nächster Verweis</translation>
    </message>
    <message>
        <source>Show Markdown as its source</source>
        <translation>Markdown als Quelltext zeigen</translation>
    </message>
    <message>
        <source>Show differences</source>
        <translation>Unterschiede zeigen</translation>
    </message>
    <message>
        <source>Scroll together</source>
        <translation>Gemeinsam scrollen</translation>
    </message>
    <message>
        <source>From the page to the text and back</source>
        <translation>Von der Seite zum Text und zurück</translation>
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
        <source>Larger</source>
        <translation>Größer</translation>
    </message>
    <message>
        <source>Smaller</source>
        <translation>Kleiner</translation>
    </message>
    <message>
        <source>Usual size</source>
        <translation>Übliche Größe</translation>
    </message>
    <message>
        <source>Usual widths of the panes</source>
        <translation>Übliche Breite der Bereiche</translation>
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
        <source>All keys</source>
        <translation>Alle Tasten</translation>
    </message>
    <message>
        <source>Check the store</source>
        <translation>Ablage prüfen</translation>
    </message>
    <message>
        <source>A row of the list, or a question of the form</source>
        <translation>Eine Zeile der Liste oder eine Frage</translation>
    </message>
    <message>
        <source>On a page: a sentence on or back</source>
        <translation>Auf einer Seite: einen Satz weiter oder zurück</translation>
    </message>
    <message>
        <source>On a page: a sentence more or less</source>
        <translation>Auf einer Seite: einen Satz mehr oder weniger</translation>
    </message>
    <message>
        <source>On a page: a link on or back, which Enter opens</source>
        <translation>Auf einer Seite: einen Link weiter oder zurück, den die Eingabetaste öffnet</translation>
    </message>
    <message>
        <source>Inside a pane, from part to part</source>
        <translation>Im Bereich von Teil zu Teil</translation>
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
        <source>Save the report as a page…</source>
        <translation>Bericht als Seite speichern …</translation>
    </message>
    <message>
        <source>Go into it, at last to the review</source>
        <translation>Hineingehen, zuletzt zur Prüfung</translation>
    </message>
    <message>
        <source>Show as table</source>
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
        <source>Say the verdict that is written</source>
        <translation>Das geschriebene Urteil abgeben</translation>
    </message>
    <message>
        <source>Decide on the final label…</source>
        <translation>Endgültig entscheiden …</translation>
    </message>
    <message>
        <source>Take the verdict back</source>
        <translation>Urteil zurücknehmen</translation>
    </message>
    <message>
        <source>Write what goes back to the raters…</source>
        <translation>Ausgeben, was zurückgeht …</translation>
    </message>
    <message>
        <source>Save the final labels…</source>
        <translation>Endgültige Ergebnisse speichern …</translation>
    </message>
    <message>
        <source>Next target that is not reviewed</source>
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
        <source>See the page as the rater saw it</source>
        <translation>Seite zeigen, wie die Person sie sah</translation>
    </message>
    <message>
        <source>Is everything here?</source>
        <translation>Ist alles da?</translation>
    </message>
    <message>
        <source>Filters of the list…</source>
        <translation>Filter der Liste …</translation>
    </message>
    <message>
        <source>Draw a sample…</source>
        <translation>Stichprobe ziehen …</translation>
    </message>
    <message>
        <source>Answer first, then see the raters</source>
        <translation>Erst antworten, dann Bewertende sehen</translation>
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
        <source>Take the answer back</source>
        <translation>Antwort zurücknehmen</translation>
    </message>
    <message>
        <source>Take the marked sentence as a point</source>
        <translation>Den markierten Satz als Punkt nehmen</translation>
    </message>
    <message>
        <source>Write a point…</source>
        <translation>Punkt schreiben …</translation>
    </message>
    <message>
        <source>Word the point anew…</source>
        <translation>Punkt neu fassen …</translation>
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
        <source>To what is not answered yet</source>
        <translation>Zu dem, was noch offen ist</translation>
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
        <source>Next text that is not answered</source>
        <translation>Nächster offener Text</translation>
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
        <source>Score by the language model…</source>
        <translation>Vom Sprachmodell werten lassen …</translation>
    </message>
</context>
<context>
    <name>Address</name>
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
        <source>Not saved, trying again</source>
        <translation>Nicht gespeichert, neuer Versuch</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>Gespeichert</translation>
    </message>
</context>
<context>
    <name>Answering</name>
    <message>
        <source>the claim</source>
        <translation>die Aussage</translation>
    </message>
    <message>
        <source>Arrows choose words, Shift takes more of them. Enter records the claim, Esc leaves.</source>
        <translation>Pfeile wählen Wörter, mit Umschalt mehrere. Enter hält die Aussage fest, Esc bricht ab.</translation>
    </message>
    <message>
        <source>Nothing copied is a link that is not here yet.</source>
        <translation>Kopiert ist kein Link, der hier noch fehlt.</translation>
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
        <source>Not finished: 1 problem blocks.</source>
        <translation>Nicht abgeschlossen: 1 Problem sperrt.</translation>
    </message>
    <message>
        <source>Not finished: {n} problems block.</source>
        <translation>Nicht abgeschlossen: {n} Probleme sperren.</translation>
    </message>
</context>
<context>
    <name>Arrivals</name>
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
        <source>Importing what came from the hub …</source>
        <translation>Was vom Hub kam, wird eingelesen …</translation>
    </message>
    <message>
        <source>Importing what came from the hub: {done} of {total}</source>
        <translation>Was vom Hub kam, wird eingelesen: {done} von {total}</translation>
    </message>
    <message>
        <source>Not imported: {why}.</source>
        <translation>Nicht eingelesen: {why}.</translation>
    </message>
    <message>
        <source>What came was gone from the disk: it is fetched once more with the next sync.</source>
        <translation>Was kam, war nicht mehr auf der Platte: Der nächste Abgleich ruft es noch einmal ab.</translation>
    </message>
    <message>
        <source>1 task came in.</source>
        <translation>1 Aufgabe ist angekommen.</translation>
    </message>
    <message>
        <source>{n} tasks came in.</source>
        <translation>{n} Aufgaben sind angekommen.</translation>
    </message>
</context>
<context>
    <name>BackingUp</name>
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
        <source>No backup: {why}</source>
        <translation>Keine Sicherung: {why}</translation>
    </message>
</context>
<context>
    <name>BackupList</name>
    <message>
        <source>what it holds can&apos;t be read</source>
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
    <name>Banner</name>
    <message>
        <source>Close this message</source>
        <translation>Diese Meldung schließen</translation>
    </message>
</context>
<context>
    <name>Browsing</name>
    <message>
        <source>This is not a web address yet.</source>
        <translation>Das ist noch keine Webadresse.</translation>
    </message>
</context>
<context>
    <name>CallList</name>
    <message>
        <source>Tool calls</source>
        <translation>Werkzeugaufrufe</translation>
    </message>
</context>
<context>
    <name>CheckDialog</name>
    <message>
        <source>Check the store</source>
        <translation>Ablage prüfen</translation>
    </message>
    <message>
        <source>What was found</source>
        <translation>Was gefunden wurde</translation>
    </message>
    <message>
        <source>Save what can be read …</source>
        <translation>Retten, was lesbar ist …</translation>
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
        <source>The store is sound.</source>
        <translation>Die Ablage ist in Ordnung.</translation>
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
    <name>Citing</name>
    <message>
        <source>No response names one of the documents.</source>
        <translation>Keine Antwort verweist auf eines der Dokumente.</translation>
    </message>
    <message>
        <source>This task has no documents.</source>
        <translation>Diese Aufgabe hat keine Dokumente.</translation>
    </message>
</context>
<context>
    <name>ClaimSearch</name>
    <message>
        <source>Only a claim or a target can be searched for.</source>
        <translation>Gesucht werden kann nur nach einer Aussage oder einer Stelle.</translation>
    </message>
</context>
<context>
    <name>Claims</name>
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
        <source>each has its own evidence and label</source>
        <translation>jede einzeln bewertet</translation>
    </message>
    <message>
        <source>the target is one claim</source>
        <translation>die Stelle ist eine Aussage</translation>
    </message>
    <message>
        <source>{pro} for, {con} against</source>
        <translation>{pro} dafür, {con} dagegen</translation>
    </message>
    <message>
        <source>to do</source>
        <translation>offen</translation>
    </message>
</context>
<context>
    <name>Commands</name>
    <message>
        <source>Export results…  Ctrl Shift E</source>
        <translation>Ergebnisse ausgeben …  Strg Umschalt E</translation>
    </message>
    <message>
        <source>Every task of this bundle is done.</source>
        <translation>Alle Aufgaben dieses Bündels sind fertig.</translation>
    </message>
</context>
<context>
    <name>Comparing</name>
    <message>
        <source>There are no two responses to compare.</source>
        <translation>Es sind keine zwei Antworten da, die sich vergleichen lassen.</translation>
    </message>
    <message>
        <source>There are no two responses to scroll together.</source>
        <translation>Es sind keine zwei Antworten da, die gemeinsam scrollen können.</translation>
    </message>
    <message>
        <source>Each response scrolls by itself now.</source>
        <translation>Jede Antwort scrollt jetzt für sich.</translation>
    </message>
    <message>
        <source>Both responses scroll together now.</source>
        <translation>Beide Antworten scrollen jetzt gemeinsam.</translation>
    </message>
    <message>
        <source>No sentence of one response is like one of the other, so none is marked.</source>
        <translation>Kein Satz der einen Antwort gleicht einem der anderen, also ist keiner markiert.</translation>
    </message>
    <message>
        <source>Both responses say the same, sentence by sentence.</source>
        <translation>Beide Antworten sagen dasselbe, Satz für Satz.</translation>
    </message>
    <message>
        <source>A line: sentences that stand in one response only ({n}). Dots: words that differ ({m}).</source>
        <translation>Linie: Sätze, die nur in einer Antwort stehen ({n}). Punkte: Wörter, die sich unterscheiden ({m}).</translation>
    </message>
    <message>
        <source>The first {n} characters of each are compared.</source>
        <translation>Verglichen werden die ersten {n} Zeichen jeder Antwort.</translation>
    </message>
</context>
<context>
    <name>ConnectPage</name>
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
        <source>Your project says where its hub is. Bundles come from it, results go to it.</source>
        <translation>Ihr Projekt sagt, wo sein Hub ist. Bündel kommen von dort, Ergebnisse gehen dorthin.</translation>
    </message>
    <message>
        <source>The password is asked for once more; what waits stays as it is.</source>
        <translation>Das Kennwort wird noch einmal erfragt; was wartet, bleibt, wie es ist.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
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
    <name>DecideBar</name>
    <message>
        <source>Final label</source>
        <translation>Endgültiges Ergebnis</translation>
    </message>
    <message>
        <source>The final label is</source>
        <translation>Endgültig ist</translation>
    </message>
    <message>
        <source>Leave it open</source>
        <translation>Offen lassen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>EmptyPage</name>
    <message>
        <source>No tasks yet</source>
        <translation>Noch keine Aufgaben</translation>
    </message>
    <message>
        <source>Tasks come as a bundle: one zip file with the texts to rate and the questions to answer.</source>
        <translation>Aufgaben kommen als Bündel: eine Zip-Datei mit den Texten und den Fragen dazu.</translation>
    </message>
    <message>
        <source>Drop a bundle here</source>
        <translation>Bündel hier ablegen</translation>
    </message>
    <message>
        <source>It is checked before anything is stored.</source>
        <translation>Es wird geprüft, bevor etwas gespeichert wird.</translation>
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
        <source>Twelve tasks to try everything on, or four to practise with the gold answer after each. Works with no network.</source>
        <translation>Zwölf Aufgaben, um alles auszuprobieren, oder vier zum Üben, nach jeder mit der Musterantwort. Geht ohne Netz.</translation>
    </message>
    <message>
        <source>Every answer is saved as you give it, on this laptop only.</source>
        <translation>Jede Antwort wird sofort gespeichert, nur auf diesem Laptop.</translation>
    </message>
    <message>
        <source>Nothing leaves it until you export or sync.</source>
        <translation>Nichts verlässt ihn, bis Sie ausgeben oder abgleichen.</translation>
    </message>
    <message>
        <source>Open the sample</source>
        <translation>Beispiel öffnen</translation>
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
        <source>Find an action</source>
        <translation>Aktion suchen</translation>
    </message>
    <message>
        <source>All keys</source>
        <translation>Alle Tasten</translation>
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
        <source>The passage that decides</source>
        <translation>Der Satz, auf den es ankommt</translation>
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
        <source>The claim that it speaks about</source>
        <translation>Die Aussage, um die es geht</translation>
    </message>
    <message>
        <source>About</source>
        <translation>Zu</translation>
    </message>
    <message>
        <source>No claim</source>
        <translation>Keine Aussage</translation>
    </message>
    <message>
        <source>Supports</source>
        <translation>Stützt</translation>
    </message>
    <message>
        <source>Contradicts</source>
        <translation>Widerspricht</translation>
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
    <name>EvidenceLine</name>
    <message>
        <source>Evidence</source>
        <translation>Belege</translation>
    </message>
    <message>
        <source>No page yet</source>
        <translation>Noch keine Seite</translation>
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
</context>
<context>
    <name>EvidenceList</name>
    <message>
        <source>Stance?</source>
        <translation>Haltung?</translation>
    </message>
    <message>
        <source>Supports</source>
        <translation>Stützt</translation>
    </message>
    <message>
        <source>Contradicts</source>
        <translation>Widerspricht</translation>
    </message>
    <message>
        <source>opened {time}</source>
        <translation>geöffnet {time}</translation>
    </message>
    <message>
        <source>not opened</source>
        <translation>nicht geöffnet</translation>
    </message>
    <message>
        <source>page kept</source>
        <translation>Seite aufgehoben</translation>
    </message>
</context>
<context>
    <name>EvidencePane</name>
    <message>
        <source>Evidence</source>
        <translation>Belege</translation>
    </message>
    <message>
        <source>No page yet</source>
        <translation>Noch keine Seite</translation>
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
        <source>Evidence for claim {n}</source>
        <translation>Belege zu Aussage {n}</translation>
    </message>
    <message>
        <source>A page without an address</source>
        <translation>Eine Seite ohne Adresse</translation>
    </message>
    <message>
        <source>page kept</source>
        <translation>Seite aufgehoben</translation>
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
    <name>Excerpt</name>
    <message>
        <source>What is judged</source>
        <translation>Was beurteilt wird</translation>
    </message>
    <message>
        <source>See the page as the rater saw it</source>
        <translation>Seite zeigen, wie die Person sie sah</translation>
    </message>
    <message>
        <source>Prompt: {text}</source>
        <translation>Anfrage: {text}</translation>
    </message>
    <message>
        <source>Response {name}</source>
        <translation>Antwort {name}</translation>
    </message>
</context>
<context>
    <name>FileDialogs</name>
    <message>
        <source>Open bundles or results</source>
        <translation>Bündel oder Ergebnisse öffnen</translation>
    </message>
    <message>
        <source>Bundles and results (*.zip);;All files (*)</source>
        <translation>Bündel und Ergebnisse (*.zip);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Open a folder of results</source>
        <translation>Ordner mit Ergebnissen öffnen</translation>
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
    <name>FilterField</name>
    <message>
        <source>Filter tasks</source>
        <translation>Aufgaben filtern</translation>
    </message>
</context>
<context>
    <name>FilterMenu</name>
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
        <source>Ties that are open</source>
        <translation>Offene Gleichstände</translation>
    </message>
    <message>
        <source>Clear the filters</source>
        <translation>Filter löschen</translation>
    </message>
    <message>
        <source>Rater</source>
        <translation>Person</translation>
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
        <source>not reviewed yet</source>
        <translation>noch nicht geprüft</translation>
    </message>
    <message>
        <source>reviewed</source>
        <translation>geprüft</translation>
    </message>
    <message>
        <source>in the sample</source>
        <translation>in der Stichprobe</translation>
    </message>
    <message>
        <source>open ties</source>
        <translation>offene Gleichstände</translation>
    </message>
</context>
<context>
    <name>FinalLabels</name>
    <message>
        <source>{name} was not written: its ending has to be one of {endings}.</source>
        <translation>{name} wurde nicht geschrieben: Möglich sind die Endungen {endings}.</translation>
    </message>
    <message>
        <source>Show them</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Save what is decided</source>
        <translation>Entschiedenes speichern</translation>
    </message>
    <message>
        <source>Nothing was saved.</source>
        <translation>Nichts wurde gespeichert.</translation>
    </message>
    <message>
        <source>1 task is in {name}.</source>
        <translation>1 Aufgabe ist in {name}.</translation>
    </message>
    <message>
        <source>{n} tasks are in {name}.</source>
        <translation>{n} Aufgaben sind in {name}.</translation>
    </message>
    <message>
        <source>1 decision is in {name}.</source>
        <translation>1 Entscheidung ist in {name}.</translation>
    </message>
    <message>
        <source>{n} decisions are in {name}.</source>
        <translation>{n} Entscheidungen sind in {name}.</translation>
    </message>
    <message>
        <source>No final label yet: {places}.</source>
        <translation>Noch kein endgültiges Ergebnis: {places}.</translation>
    </message>
    <message>
        <source>{names} and {n} more</source>
        <translation>{names} und {n} weitere</translation>
    </message>
    <message>
        <source>Left out, as no whole rating says what was decided: {tasks}. Correct one, or save a table.</source>
        <translation>Nicht dabei, weil keine ganze Bewertung das Entschiedene sagt: {tasks}. Berichtigen Sie eine, oder speichern Sie eine Tabelle.</translation>
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
    <name>Form</name>
    <message>
        <source>Questions</source>
        <translation>Fragen</translation>
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
        <source>Rate it after all</source>
        <translation>Doch bewerten</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>Überspringen</translation>
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
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Next target</source>
        <translation>Nächste Stelle</translation>
    </message>
    <message>
        <source>Not finished while a problem blocks</source>
        <translation>Nicht fertig, solange ein Problem sperrt</translation>
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
    <name>FoundPage</name>
    <message>
        <source>What the hub can do</source>
        <translation>Was der Hub kann</translation>
    </message>
    <message>
        <source>Bundles that are there</source>
        <translation>Bündel, die da sind</translation>
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
        <source>Without what does not work here, results could be lost on the way.</source>
        <translation>Ohne das, was hier nicht geht, könnten Ergebnisse unterwegs verloren gehen.</translation>
    </message>
    <message>
        <source>It can be used. This is what was tried:</source>
        <translation>Er ist nutzbar. Das wurde erprobt:</translation>
    </message>
    <message>
        <source>Looking for bundles …</source>
        <translation>Bündel werden gesucht …</translation>
    </message>
    <message>
        <source>No bundle is there for you yet.</source>
        <translation>Für Sie ist noch kein Bündel da.</translation>
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
        <source>as the gold</source>
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
        <source>Supports</source>
        <translation>Stützt</translation>
    </message>
    <message>
        <source>Contradicts</source>
        <translation>Widerspricht</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>Seite</translation>
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
        <source>What the gold says</source>
        <translation>Was die Musterantwort sagt</translation>
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
        <source>as the gold</source>
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
        <source>You skipped this task, and so does the gold.</source>
        <translation>Sie haben diese Aufgabe übersprungen, und die Musterantwort tut es auch.</translation>
    </message>
    <message>
        <source>You skipped this task. The gold rates it.</source>
        <translation>Sie haben diese Aufgabe übersprungen. Die Musterantwort bewertet sie.</translation>
    </message>
    <message>
        <source>The gold skips this task: {reason}. {comment}</source>
        <translation>Die Musterantwort überspringt diese Aufgabe: {reason}. {comment}</translation>
    </message>
    <message>
        <source>{n} of {total} targets as the gold.</source>
        <translation>{n} von {total} Stellen wie die Musterantwort.</translation>
    </message>
    <message>
        <source>{n} of {total} answers as the gold.</source>
        <translation>{n} von {total} Antworten wie die Musterantwort.</translation>
    </message>
    <message>
        <source>In this sitting {n} of {total} targets, in {tasks} tasks.</source>
        <translation>In dieser Sitzung {n} von {total} Stellen, in {tasks} Aufgaben.</translation>
    </message>
    <message>
        <source>In this sitting {n} of {total} answers, in {tasks} tasks.</source>
        <translation>In dieser Sitzung {n} von {total} Antworten, in {tasks} Aufgaben.</translation>
    </message>
</context>
<context>
    <name>Grid</name>
    <message>
        <source>Raters side by side</source>
        <translation>Bewertende nebeneinander</translation>
    </message>
</context>
<context>
    <name>Guidelines</name>
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
    <name>History</name>
    <message>
        <source>The task as it came</source>
        <translation>Die Aufgabe, wie sie kam</translation>
    </message>
    <message>
        <source>This state can&apos;t be read: what is stored was altered</source>
        <translation>Dieser Stand ist nicht lesbar: Was gespeichert ist, wurde verändert</translation>
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
        <source>by going back</source>
        <translation>durch Zurückkehren</translation>
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
        <source>{question}: no answer any more</source>
        <translation>{question}: keine Antwort mehr</translation>
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
        <source>a warning is acknowledged</source>
        <translation>eine Warnung ist hingenommen</translation>
    </message>
    <message>
        <source>a warning is open again</source>
        <translation>eine Warnung ist wieder offen</translation>
    </message>
    <message>
        <source>note to the QA lead, {text}</source>
        <translation>Notiz an die Prüfleitung, {text}</translation>
    </message>
    <message>
        <source>the task is rated after all</source>
        <translation>die Aufgabe wird doch bewertet</translation>
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
        <source>the task is not finished any more</source>
        <translation>die Aufgabe ist nicht mehr fertig</translation>
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
        <source>evidence added, {page}</source>
        <translation>Beleg aufgenommen, {page}</translation>
    </message>
    <message>
        <source>evidence changed, {page}</source>
        <translation>Beleg geändert, {page}</translation>
    </message>
    <message>
        <source>the borders are those of the bundle again</source>
        <translation>die Grenzen sind wieder die des Bündels</translation>
    </message>
    <message>
        <source>the borders are reported, {text}</source>
        <translation>die Grenzen sind gemeldet, {text}</translation>
    </message>
    <message>
        <source>it now holds {text}</source>
        <translation>sie umfasst jetzt {text}</translation>
    </message>
</context>
<context>
    <name>HistoryCommands</name>
    <message>
        <source>You look at an earlier state: {state}. Nothing can be changed in it.</source>
        <translation>Sie sehen einen früheren Stand: {state}. In ihm lässt sich nichts ändern.</translation>
    </message>
    <message>
        <source>Back to now</source>
        <translation>Zum jetzigen Stand</translation>
    </message>
    <message>
        <source>Go back to here</source>
        <translation>Hierher zurück</translation>
    </message>
    <message>
        <source>Went back: {state}.</source>
        <translation>Zurückgekehrt: {state}.</translation>
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
        <source>as it came</source>
        <translation>wie sie kam</translation>
    </message>
</context>
<context>
    <name>HistoryPane</name>
    <message>
        <source>History of this task</source>
        <translation>Verlauf dieser Aufgabe</translation>
    </message>
    <message>
        <source>What was done, the latest first</source>
        <translation>Was getan wurde, das Letzte zuerst</translation>
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
        <source>Go back to here</source>
        <translation>Hierher zurück</translation>
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
        <source>Making results …</source>
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
        <source>goes with the next sync</source>
        <translation>beim nächsten Abgleich</translation>
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
        <source>sent, not read back yet</source>
        <translation>gesendet, noch nicht zurückgelesen</translation>
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
        <source>{names} and {n} more</source>
        <translation>{names} und noch {n}</translation>
    </message>
    <message>
        <source>The QA lead sent work back: {names}.</source>
        <translation>Die Prüfleitung hat Arbeit zurückgegeben: {names}.</translation>
    </message>
    <message>
        <source>A bundle is there: {names}.</source>
        <translation>Ein Bündel ist da: {names}.</translation>
    </message>
    <message>
        <source>{n} bundles are there: {names}.</source>
        <translation>{n} Bündel sind da: {names}.</translation>
    </message>
    <message>
        <source>1 bundle is there:</source>
        <translation>1 Bündel ist da:</translation>
    </message>
    <message>
        <source>{n} bundles are there:</source>
        <translation>{n} Bündel sind da:</translation>
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
        <source>1 result waits and goes with the next sync.</source>
        <translation>1 Ergebnis wartet und geht beim nächsten Abgleich hinaus.</translation>
    </message>
    <message>
        <source>{n} results wait and go with the next sync.</source>
        <translation>{n} Ergebnisse warten und gehen beim nächsten Abgleich hinaus.</translation>
    </message>
    <message>
        <source>1 did not go through.</source>
        <translation>1 kam nicht durch.</translation>
    </message>
    <message>
        <source>{n} did not go through.</source>
        <translation>{n} kamen nicht durch.</translation>
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
    <name>HubDialog</name>
    <message>
        <source>Hub</source>
        <translation>Hub</translation>
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
    <name>Joining</name>
    <message>
        <source>This place is no hub yet: it holds no hub.json. Who leads the project sets it up with “hub init”.</source>
        <translation>Hier ist noch kein Hub: Es fehlt eine hub.json. Wer das Projekt leitet, richtet ihn mit „hub init“ ein.</translation>
    </message>
    <message>
        <source>The password is kept in {keeper}.</source>
        <translation>Das Kennwort liegt hier: {keeper}.</translation>
    </message>
    <message>
        <source>No keyring here keeps a password safely: it is known until the program ends, and nowhere kept.</source>
        <translation>Kein Schlüsselbund hier verwahrt Kennwörter sicher: Es ist bis zum Programmende bekannt und wird nirgends aufbewahrt.</translation>
    </message>
</context>
<context>
    <name>KeySheet</name>
    <message>
        <source>All keys</source>
        <translation>Alle Tasten</translation>
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
        <source>PgDn</source>
        <translation>Bild ab</translation>
    </message>
    <message>
        <source>{key} stays the key of “{action}”.</source>
        <translation>{key} bleibt die Taste für „{action}“.</translation>
    </message>
    <message>
        <source>Press one key, with or without Ctrl and Shift.</source>
        <translation>Eine Taste drücken, mit oder ohne Strg und Umschalt.</translation>
    </message>
    <message>
        <source>{key} is kept for the answers of a rubric.</source>
        <translation>{key} ist für die Antworten eines Fragebogens frei gehalten.</translation>
    </message>
    <message>
        <source>{key} moves and edits in lists and fields.</source>
        <translation>{key} bewegt und ändert in Listen und Feldern.</translation>
    </message>
    <message>
        <source>{key} edits the text of a field.</source>
        <translation>{key} ändert den Text eines Feldes.</translation>
    </message>
    <message>
        <source>{key} is kept for another room.</source>
        <translation>{key} ist für einen anderen Raum frei gehalten.</translation>
    </message>
    <message>
        <source>{key} is no key of this window: Alt opens the menus.</source>
        <translation>{key} geht hier nicht: Alt öffnet die Menüs.</translation>
    </message>
    <message>
        <source>{key} is the key of “{action}”.</source>
        <translation>{key} ist die Taste für „{action}“.</translation>
    </message>
</context>
<context>
    <name>KeysEditor</name>
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
        <source>Usual key</source>
        <translation>Übliche Taste</translation>
    </message>
    <message>
        <source>All usual keys</source>
        <translation>Alle üblichen Tasten</translation>
    </message>
    <message>
        <source>{key} it is.</source>
        <translation>{key} gilt.</translation>
    </message>
</context>
<context>
    <name>LeadHub</name>
    <message>
        <source>Not all results could be had: {n}.</source>
        <translation>Einige Ergebnisse ließen sich nicht einholen: {n}.</translation>
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
        <source>Cancelled. What has gone stays there; publish again to go on.</source>
        <translation>Abgebrochen. Was schon dort ist, bleibt dort; stellen Sie erneut bereit, um fortzufahren.</translation>
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
        <source>Its gold stayed here.</source>
        <translation>Seine Musterantworten blieben hier.</translation>
    </message>
    <message>
        <source>Lines that are no good task: {n}.</source>
        <translation>Zeilen ohne brauchbare Aufgabe: {n}.</translation>
    </message>
    <message>
        <source>{rater} could not be assigned: {why}</source>
        <translation>Die Zuteilung an {rater} ging nicht: {why}</translation>
    </message>
</context>
<context>
    <name>LinkFetching</name>
    <message>
        <source>Links are being fetched already.</source>
        <translation>Es werden schon Links abgerufen.</translation>
    </message>
    <message>
        <source>Every link is stored already.</source>
        <translation>Jeder Link ist schon in der Ablage.</translation>
    </message>
    <message>
        <source>No link is to be fetched.</source>
        <translation>Es ist kein Link abzurufen.</translation>
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
        <source>1 link shows no page.</source>
        <translation>1 Link zeigt keine Seite.</translation>
    </message>
    <message>
        <source>{n} links show no page.</source>
        <translation>{n} Links zeigen keine Seite.</translation>
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
        <source>none to open in this task</source>
        <translation>in dieser Aufgabe keiner zu öffnen</translation>
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
        <source>server failed</source>
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
        <source>in response {name}</source>
        <translation>in Antwort {name}</translation>
    </message>
    <message>
        <source>in the tools of {name}</source>
        <translation>in den Werkzeugen von {name}</translation>
    </message>
</context>
<context>
    <name>LinkRows</name>
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
</context>
<context>
    <name>ListPane</name>
    <message>
        <source>What is reviewed</source>
        <translation>Was geprüft wird</translation>
    </message>
    <message>
        <source>Filter targets</source>
        <translation>Stellen filtern</translation>
    </message>
    <message>
        <source>Filters</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>No place is like that.</source>
        <translation>Keine Stelle ist so.</translation>
    </message>
    <message>
        <source>Nothing is rated yet.</source>
        <translation>Noch ist nichts bewertet.</translation>
    </message>
    <message>
        <source>of {total} reviewed</source>
        <translation>von {total} geprüft</translation>
    </message>
</context>
<context>
    <name>LiveAvailable</name>
    <message>
        <source>This installation has no browser engine (Qt WebEngine).</source>
        <translation>Diese Installation hat keine Browser-Engine (Qt WebEngine).</translation>
    </message>
    <message>
        <source>The program runs as root, where the browser engine can&apos;t shut pages in. Start it as an ordinary user.</source>
        <translation>Das Programm läuft als root, und da kann die Browser-Engine Seiten nicht einschließen. Starten Sie es als gewöhnlicher Benutzer.</translation>
    </message>
    <message>
        <source>The environment says {names}, and pages would not be shut in. Start the program without it.</source>
        <translation>In der Umgebung steht {names}, und Seiten wären nicht eingeschlossen. Starten Sie das Programm ohne das.</translation>
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
        <source>The live view is not available here. {why} The reader shows the text of the page.</source>
        <translation>Die Live-Ansicht gibt es hier nicht. {why} Die Leseansicht zeigt den Text der Seite.</translation>
    </message>
    <message>
        <source>Live page</source>
        <translation>Live-Seite</translation>
    </message>
    <message>
        <source>{host} is not shown: the site does not answer.</source>
        <translation>{host} wird nicht gezeigt: Die Website antwortet nicht.</translation>
    </message>
    <message>
        <source>{host} answered with {code}.</source>
        <translation>{host} hat mit {code} geantwortet.</translation>
    </message>
    <message>
        <source>The page stopped: its process ended. What you answered is not touched.</source>
        <translation>Die Seite steht: Ihr Prozess wurde beendet. Ihre Antworten sind davon nicht berührt.</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>Neu laden</translation>
    </message>
    <message>
        <source>{host} can&apos;t prove that it is itself, so it is not shown: {why}</source>
        <translation>{host} kann sich nicht ausweisen und wird deshalb nicht gezeigt: {why}</translation>
    </message>
    <message>
        <source>{host} sends a file, and nothing is downloaded here. The reader shows PDFs.</source>
        <translation>{host} schickt eine Datei, und hier wird nichts heruntergeladen. PDFs zeigt die Leseansicht.</translation>
    </message>
    <message>
        <source>{host} wants a sign-in, and nobody signs in here. The browser of the system can.</source>
        <translation>{host} will eine Anmeldung, und hier meldet sich niemand an. Der Browser des Systems kann es.</translation>
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
        <source>camera, place, notification and the like</source>
        <translation>Kamera, Ort, Mitteilung und Ähnliches</translation>
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
        <source>taking over a kind of link</source>
        <translation>Übernahme einer Art von Links</translation>
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
    <name>LongScale</name>
    <message>
        <source>{level} up to {n}</source>
        <translation>{level} bis {n}</translation>
    </message>
</context>
<context>
    <name>Looking</name>
    <message>
        <source>Hidden until you have answered</source>
        <translation>Verborgen, bis Sie geantwortet haben</translation>
    </message>
    <message>
        <source>Every place from here on is reviewed.</source>
        <translation>Ab hier ist jede Stelle geprüft.</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Desktop Rater</source>
        <translation>Desktop Rater</translation>
    </message>
    <message>
        <source>Not closed: the last answers of {tasks} are not saved yet. They are tried again every {n} s.</source>
        <translation>Nicht geschlossen: Die letzten Antworten zu {tasks} sind noch nicht gespeichert. Alle {n} s folgt ein neuer Versuch.</translation>
    </message>
    <message>
        <source>Try now and close</source>
        <translation>Jetzt versuchen und schließen</translation>
    </message>
    <message>
        <source>Close without them</source>
        <translation>Ohne sie schließen</translation>
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
        <source>Ask the model</source>
        <translation>Modell fragen</translation>
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
        <source>{done} of {total} questions answered. What is answered is kept.</source>
        <translation>{done} von {total} Fragen beantwortet. Was beantwortet ist, bleibt.</translation>
    </message>
    <message>
        <source>Asking. What is answered is kept.</source>
        <translation>Es wird gefragt. Was beantwortet ist, bleibt.</translation>
    </message>
    <message>
        <source>Working out what it would cost. Nothing is sent.</source>
        <translation>Die Kosten werden berechnet. Nichts wird gesendet.</translation>
    </message>
    <message>
        <source>The texts go to {host}, to the model {model}, without the names of who wrote them. It says of each text and point whether they agree; the score is computed here. Nothing is sent before you agree.</source>
        <translation>Die Texte gehen an {host}, an das Modell {model}, ohne die Namen derer, die sie geschrieben haben. Es sagt zu jedem Text und Punkt, ob sie übereinstimmen; die Wertung wird hier berechnet. Nichts wird gesendet, bevor Sie zustimmen.</translation>
    </message>
    <message>
        <source>All of it is answered already: it costs nothing.</source>
        <translation>Alles ist schon beantwortet: Es kostet nichts.</translation>
    </message>
    <message>
        <source>At most {calls} calls, about {into} tokens there and {out} back.</source>
        <translation>Höchstens {calls} Aufrufe, etwa {into} Token hin und {out} zurück.</translation>
    </message>
    <message>
        <source>{n} more are answered already.</source>
        <translation>{n} weitere sind schon beantwortet.</translation>
    </message>
    <message>
        <source>About {money} by the prices that are set.</source>
        <translation>Etwa {money} nach den eingestellten Preisen.</translation>
    </message>
    <message>
        <source>No prices are set, so there is no cost in money.</source>
        <translation>Es sind keine Preise eingestellt, also fehlen die Kosten in Geld.</translation>
    </message>
</context>
<context>
    <name>NoPage</name>
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
        <source>Show the copy of {time}</source>
        <translation>Kopie vom {time} zeigen</translation>
    </message>
    <message>
        <source>The link counts as opened: you have seen what is there.</source>
        <translation>Der Link zählt als geöffnet: Sie haben gesehen, was da ist.</translation>
    </message>
    <message>
        <source>The link does not count as opened: you have not seen what is there.</source>
        <translation>Der Link zählt nicht als geöffnet: Sie haben nicht gesehen, was da ist.</translation>
    </message>
</context>
<context>
    <name>Notice</name>
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
    <name>Notices</name>
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
        <source>Sign in …</source>
        <translation>Anmelden …</translation>
    </message>
    <message>
        <source>1 thing did not go through: {why}</source>
        <translation>1 Sache kam nicht durch: {why}</translation>
    </message>
    <message>
        <source>{n} did not go through: {why}</source>
        <translation>{n} kamen nicht durch: {why}</translation>
    </message>
    <message>
        <source>1 was sent and read back.</source>
        <translation>1 wurde gesendet und zurückgelesen.</translation>
    </message>
    <message>
        <source>{n} were sent and read back.</source>
        <translation>{n} wurden gesendet und zurückgelesen.</translation>
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
        <source>{bundle} stays here: 1 task is not finished.</source>
        <translation>{bundle} bleibt hier: 1 Aufgabe ist nicht fertig.</translation>
    </message>
    <message>
        <source>{bundle} stays here: {n} tasks are not finished.</source>
        <translation>{bundle} bleibt hier: {n} Aufgaben sind nicht fertig.</translation>
    </message>
    <message>
        <source>{bundle} stays here: it did not come from this hub.</source>
        <translation>{bundle} bleibt hier: Es kam nicht von diesem Hub.</translation>
    </message>
    <message>
        <source>{bundle} stays here: {why}</source>
        <translation>{bundle} bleibt hier: {why}</translation>
    </message>
    <message>
        <source>Another laptop has sent results of {bundles} too. Both stay there, and the QA lead sees both.</source>
        <translation>Auch ein anderer Laptop hat Ergebnisse von {bundles} gesendet. Beide bleiben dort, und die Prüfleitung sieht beide.</translation>
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
        <source>That is not a number that is offered here.</source>
        <translation>Diese Zahl steht hier nicht zur Wahl.</translation>
    </message>
</context>
<context>
    <name>OpenButton</name>
    <message>
        <source>Task list, Ctrl B</source>
        <translation>Aufgabenliste, Strg B</translation>
    </message>
</context>
<context>
    <name>Opening</name>
    <message>
        <source>Opening {task} …</source>
        <translation>{task} wird geöffnet …</translation>
    </message>
</context>
<context>
    <name>OwnAnswer</name>
    <message>
        <source>Your own rating</source>
        <translation>Ihre eigene Bewertung</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Leave it</source>
        <translation>Verlassen</translation>
    </message>
    <message>
        <source>Your own answer first: what the raters said shows when you are done.</source>
        <translation>Erst Ihre eigene Antwort: Was die Bewertenden sagten, sehen Sie, wenn Sie fertig sind.</translation>
    </message>
    <message>
        <source>Your own rating of {task}.</source>
        <translation>Ihre eigene Bewertung von {task}.</translation>
    </message>
    <message>
        <source>Your correction, begun with the rating of {rater}. It follows the same rules.</source>
        <translation>Ihre Berichtigung, ausgehend von der Bewertung von {rater}. Für sie gelten dieselben Regeln.</translation>
    </message>
</context>
<context>
    <name>Page</name>
    <message>
        <source>Hub</source>
        <translation>Hub</translation>
    </message>
</context>
<context>
    <name>PageState</name>
    <message>
        <source>There is no text on this page</source>
        <translation>Auf dieser Seite steht kein Text</translation>
    </message>
    <message>
        <source>What it shows is made of pictures or by a program that does not run here.</source>
        <translation>Was sie zeigt, besteht aus Bildern oder kommt von einem Programm, das hier nicht läuft.</translation>
    </message>
    <message>
        <source>This page asks to sign in or to pay</source>
        <translation>Diese Seite will eine Anmeldung oder Bezahlung</translation>
    </message>
    <message>
        <source>{host} shows it to its own readers only.</source>
        <translation>{host} zeigt sie nur der eigenen Leserschaft.</translation>
    </message>
    <message>
        <source>There is no such page</source>
        <translation>Diese Seite gibt es nicht</translation>
    </message>
    <message>
        <source>{host} is there and does not know this address.</source>
        <translation>{host} ist da und kennt diese Adresse nicht.</translation>
    </message>
    <message>
        <source>This page is not shown to us</source>
        <translation>Diese Seite wird uns nicht gezeigt</translation>
    </message>
    <message>
        <source>{host} refuses it, as some sites do to programs that read.</source>
        <translation>{host} verweigert sie, wie manche Websites es bei lesenden Programmen tun.</translation>
    </message>
    <message>
        <source>The site has trouble of its own</source>
        <translation>Die Website ist gestört</translation>
    </message>
    <message>
        <source>{host} could not make this page.</source>
        <translation>{host} konnte diese Seite nicht erzeugen.</translation>
    </message>
    <message>
        <source>This address is not opened here</source>
        <translation>Diese Adresse wird hier nicht geöffnet</translation>
    </message>
    <message>
        <source>It does not lead to a public page of the web.</source>
        <translation>Sie führt zu keiner öffentlichen Seite im Web.</translation>
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
        <source>Pages, plain text and PDF are read here.</source>
        <translation>Hier werden Seiten, reiner Text und PDF gelesen.</translation>
    </message>
    <message>
        <source>{host} is not reached</source>
        <translation>{host} ist nicht erreichbar</translation>
    </message>
    <message>
        <source>There is no such host, or no network.</source>
        <translation>Diesen Host gibt es nicht, oder es ist kein Netz da.</translation>
    </message>
    <message>
        <source>{host} does not answer</source>
        <translation>{host} antwortet nicht</translation>
    </message>
    <message>
        <source>Nothing came in time.</source>
        <translation>Rechtzeitig kam nichts an.</translation>
    </message>
    <message>
        <source>This page can&apos;t be read</source>
        <translation>Diese Seite ist nicht lesbar</translation>
    </message>
    <message>
        <source>What came is not what it says it is.</source>
        <translation>Was kam, ist nicht, was es zu sein vorgibt.</translation>
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
        <source>Markdown as it stands</source>
        <translation>Markdown, wie es dasteht</translation>
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
        <source>Offline: stored copy of {time}</source>
        <translation>Offline: abgelegte Kopie vom {time}</translation>
    </message>
    <message>
        <source>Stored copy of {time}</source>
        <translation>Abgelegte Kopie vom {time}</translation>
    </message>
    <message>
        <source>It asks to sign in or to pay: this may not be all of it</source>
        <translation>Sie will eine Anmeldung oder Bezahlung: vielleicht ist das nicht alles</translation>
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
        <source>Redirected to {host}, and not encrypted there</source>
        <translation>Weitergeleitet zu {host}, dort unverschlüsselt</translation>
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
    <name>PairRoom</name>
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
    <name>Palette</name>
    <message>
        <source>Find an action</source>
        <translation>Aktion suchen</translation>
    </message>
    <message>
        <source>Actions</source>
        <translation>Aktionen</translation>
    </message>
    <message>
        <source>No action has these words.</source>
        <translation>Keine Aktion hat diese Wörter.</translation>
    </message>
    <message>
        <source>not possible now</source>
        <translation>jetzt nicht möglich</translation>
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
    <name>PassPhrase</name>
    <message>
        <source>Signing key</source>
        <translation>Signierschlüssel</translation>
    </message>
    <message>
        <source>Pass phrase</source>
        <translation>Kennsatz</translation>
    </message>
    <message>
        <source>Pass phrase once more</source>
        <translation>Kennsatz noch einmal</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Make the key</source>
        <translation>Schlüssel anlegen</translation>
    </message>
    <message>
        <source>Sign with it</source>
        <translation>Unterschreiben</translation>
    </message>
    <message>
        <source>A new signing key is kept in a file beside the settings. Nobody can use it without its pass phrase, and nobody can find that again: take four words or more, and remember them.</source>
        <translation>Ein neuer Signierschlüssel kommt in eine Datei neben den Einstellungen. Ohne seinen Kennsatz kann ihn niemand benutzen, und den findet niemand wieder: Nehmen Sie vier Wörter oder mehr, und merken Sie sich diese.</translation>
    </message>
    <message>
        <source>Your signing key is in a file. Its pass phrase is kept until you close the program.</source>
        <translation>Ihr Signierschlüssel ist in einer Datei. Sein Kennsatz bleibt bekannt, bis Sie das Programm schließen.</translation>
    </message>
    <message>
        <source>The two are not the same. Type them once more.</source>
        <translation>Die beiden sind nicht gleich. Tippen Sie sie noch einmal.</translation>
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
        <source>No point yet. A point is one statement with which a text can agree or disagree. Take the marked sentence of a gold text (T), or write one (W).</source>
        <translation>Noch kein Punkt. Ein Punkt ist eine einzelne Behauptung, der ein Text zustimmen oder widersprechen kann. Nehmen Sie den markierten Satz eines Mustertextes (T), oder schreiben Sie einen (W).</translation>
    </message>
    <message>
        <source>Write</source>
        <translation>Schreiben</translation>
    </message>
    <message>
        <source>Word anew</source>
        <translation>Neu fassen</translation>
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
        <source>A point: one statement. Enter keeps it, Esc leaves.</source>
        <translation>Ein Punkt: eine einzelne Behauptung. Enter hält ihn fest, Esc bricht ab.</translation>
    </message>
    <message>
        <source>The topic to which the point belongs. Enter keeps it, Esc leaves.</source>
        <translation>Das Thema, zu dem der Punkt gehört. Enter hält es fest, Esc bricht ab.</translation>
    </message>
    <message>
        <source>The point in other words. Enter keeps them, Esc leaves.</source>
        <translation>Der Punkt in anderen Worten. Enter hält sie fest, Esc bricht ab.</translation>
    </message>
    <message>
        <source>It is asked anew of each text; answers that go: {n}.</source>
        <translation>Er wird zu jedem Text neu gefragt; Antworten, die wegfallen: {n}.</translation>
    </message>
    <message>
        <source>New topic…</source>
        <translation>Neues Thema …</translation>
    </message>
</context>
<context>
    <name>Practising</name>
    <message>
        <source>This is practice: you see the gold answer of each task once you have finished it.</source>
        <translation>Das ist eine Übung: Sie sehen die Musterantwort jeder Aufgabe, sobald Sie sie abgeschlossen haben.</translation>
    </message>
    <message>
        <source>The gold answer is shown.</source>
        <translation>Die Musterantwort wird gezeigt.</translation>
    </message>
</context>
<context>
    <name>Preferences</name>
    <message>
        <source>The file of settings can&apos;t be read. It is kept as {name}, and the usual settings hold.</source>
        <translation>Die Datei der Einstellungen ist nicht lesbar. Sie bleibt als {name} erhalten; es gelten die üblichen Einstellungen.</translation>
    </message>
    <message>
        <source>The file of settings can&apos;t be read: {why}. The usual settings hold.</source>
        <translation>Die Datei der Einstellungen ist nicht lesbar: {why}. Es gelten die üblichen Einstellungen.</translation>
    </message>
    <message>
        <source>In the file of settings {names} can&apos;t be as it stands there. The usual value holds.</source>
        <translation>In der Datei der Einstellungen geht {names} so nicht. Es gilt der übliche Wert.</translation>
    </message>
</context>
<context>
    <name>PreviewCommands</name>
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
        <source>Open {host} in the browser of the system? There it is fetched again, outside of this program.</source>
        <translation>{host} im Browser des Systems öffnen? Dort wird die Seite noch einmal abgerufen, außerhalb dieses Programms.</translation>
    </message>
    <message>
        <source>Open it there</source>
        <translation>Dort öffnen</translation>
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
        <source>No page yet</source>
        <translation>Noch keine Seite</translation>
    </message>
</context>
<context>
    <name>ProblemLanguage</name>
    <message>
        <source>The guideline says {said}.</source>
        <translation>Der Leitfaden sagt {said}.</translation>
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
    <name>Problems</name>
    <message>
        <source>Change to {label}</source>
        <translation>In {label} ändern</translation>
    </message>
    <message>
        <source>Reconsider {about}</source>
        <translation>{about} überdenken</translation>
    </message>
    <message>
        <source>Weigh the evidence</source>
        <translation>Belege abwägen</translation>
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
        <source>Mend</source>
        <translation>Berichtigen</translation>
    </message>
    <message>
        <source>Acknowledge…</source>
        <translation>Hinnehmen …</translation>
    </message>
    <message>
        <source>Take back</source>
        <translation>Zurücknehmen</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>{n} elsewhere in this task</source>
        <translation>{n} anderswo in dieser Aufgabe</translation>
    </message>
    <message>
        <source>Next open question</source>
        <translation>Nächste offene Frage</translation>
    </message>
    <message>
        <source>No problems in this target</source>
        <translation>Kein Problem an dieser Stelle</translation>
    </message>
    <message>
        <source>No problems here</source>
        <translation>Kein Problem hier</translation>
    </message>
    <message>
        <source>No problems in this response</source>
        <translation>Kein Problem in dieser Antwort</translation>
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
    <message>
        <source>{page}: {words}</source>
        <translation>{page}: {words}</translation>
    </message>
    <message>
        <source>Claim {n}: {words}</source>
        <translation>Aussage {n}: {words}</translation>
    </message>
    <message>
        <source>1 blocks export</source>
        <translation>1 sperrt</translation>
    </message>
    <message>
        <source>{n} block export</source>
        <translation>{n} sperren</translation>
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
        <source>Raters who get it, one a line</source>
        <translation>Bewertende, je Zeile ein Name</translation>
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
        <source>It goes to {hub}. Gold stays here, unless it is for practice.</source>
        <translation>Es geht an {hub}. Musterantworten bleiben hier, außer zur Übung.</translation>
    </message>
    <message>
        <source>All raters known there: {n}</source>
        <translation>Alle dort bekannten Personen: {n}</translation>
    </message>
    <message>
        <source>No bundle is chosen yet.</source>
        <translation>Noch ist kein Bündel gewählt.</translation>
    </message>
</context>
<context>
    <name>QuestionRow</name>
    <message>
        <source>Guideline: {section}</source>
        <translation>Leitfaden: {section}</translation>
    </message>
    <message>
        <source>optional</source>
        <translation>freiwillig</translation>
    </message>
</context>
<context>
    <name>Rail</name>
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
    <name>RaterPage</name>
    <message>
        <source>Who rates here?</source>
        <translation>Wer bewertet hier?</translation>
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
        <source>Rate as this</source>
        <translation>So bewerten</translation>
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
    <name>RaterView</name>
    <message>
        <source>The page as the rater saw it</source>
        <translation>Die Seite, wie die Person sie sah</translation>
    </message>
    <message>
        <source>Back to the comparison</source>
        <translation>Zurück zum Vergleich</translation>
    </message>
    <message>
        <source>As {rater} rated it: nothing can be changed here.</source>
        <translation>Wie {rater} bewertet hat: Hier lässt sich nichts ändern.</translation>
    </message>
</context>
<context>
    <name>RatingCommands</name>
    <message>
        <source>No warning here.</source>
        <translation>Hier ist keine Warnung.</translation>
    </message>
    <message>
        <source>Why may this warning stand?</source>
        <translation>Warum darf diese Warnung stehen bleiben?</translation>
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
        <source>Only a target has borders.</source>
        <translation>Nur eine Stelle hat Grenzen.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>The target has new borders.</source>
        <translation>Die Stelle hat neue Grenzen.</translation>
    </message>
    <message>
        <source>What is wrong with the borders of this target?</source>
        <translation>Was stimmt an den Grenzen dieser Stelle nicht?</translation>
    </message>
    <message>
        <source>To correct them, select the words that it should hold first.</source>
        <translation>Zum Berichtigen zuerst die Wörter auswählen, die zu ihr gehören.</translation>
    </message>
    <message>
        <source>Count again</source>
        <translation>Weiterzählen</translation>
    </message>
    <message>
        <source>Paused. No time is counted until the next answer.</source>
        <translation>Angehalten. Bis zur nächsten Antwort zählt keine Zeit.</translation>
    </message>
    <message>
        <source>This bundle has no guidelines.</source>
        <translation>Dieses Bündel hat keinen Leitfaden.</translation>
    </message>
    <message>
        <source>1 task left</source>
        <translation>Noch 1 Aufgabe</translation>
    </message>
    <message>
        <source>{n} tasks left</source>
        <translation>Noch {n} Aufgaben</translation>
    </message>
</context>
<context>
    <name>ReadOnly</name>
    <message>
        <source>Read-only</source>
        <translation>Nur lesen</translation>
    </message>
    <message>
        <source>Try to write</source>
        <translation>Schreiben versuchen</translation>
    </message>
    <message>
        <source>The other program is gone. This window can write now.</source>
        <translation>Das andere Programm ist fort. Dieses Fenster kann jetzt schreiben.</translation>
    </message>
    <message>
        <source>Write here</source>
        <translation>Hier schreiben</translation>
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
    <name>Report</name>
    <message>
        <source>every rating is the same</source>
        <translation>alle Bewertungen sind gleich</translation>
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
        <source>none repeated</source>
        <translation>nie wiederholt</translation>
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
        <source>{units} with two ratings or more, {pairs} pairs</source>
        <translation>{units} mit zwei oder mehr Bewertungen, {pairs} Paare</translation>
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
        <source>As a table</source>
        <translation>Als Tabelle</translation>
    </message>
    <message>
        <source>Agreement</source>
        <translation>Übereinstimmung</translation>
    </message>
    <message>
        <source>95 % bootstrap intervals</source>
        <translation>95-%-Bootstrap-Intervalle</translation>
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
        <source>Krippendorff’s α, steps as distances</source>
        <translation>Krippendorffs α, Stufen als Abstände</translation>
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
        <source>Rests on</source>
        <translation>Beruht auf</translation>
    </message>
    <message>
        <source>Given label against majority</source>
        <translation>Einstufung gegen Mehrheit</translation>
    </message>
    <message>
        <source>row share, counts shown</source>
        <translation>Anteil je Zeile, mit Anzahl</translation>
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
        <source>Nobody differs from the majority of the others.</source>
        <translation>Niemand weicht von der Mehrheit der anderen ab.</translation>
    </message>
    <message>
        <source>{n} more where the others have no majority.</source>
        <translation>Dazu {n}, wo die anderen keine Mehrheit haben.</translation>
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
        <source>{rater} rests on {n} only.</source>
        <translation>{rater} beruht nur auf {n}.</translation>
    </message>
    <message>
        <source>These rest on few: {raters}.</source>
        <translation>Auf wenigem beruhen: {raters}.</translation>
    </message>
    <message>
        <source>{rater}: {label}, {n} of {total} ({share})</source>
        <translation>{rater}: {label}, {n} von {total} ({share})</translation>
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
        <source>Dashed: the guideline’s {minutes} minutes.</source>
        <translation>Gestrichelt: die {minutes} Minuten des Leitfadens.</translation>
    </message>
    <message>
        <source>Dashed: the guideline’s {minutes} minutes before {label}.</source>
        <translation>Gestrichelt: die {minutes} Minuten des Leitfadens vor {label}.</translation>
    </message>
    <message>
        <source>Median, min</source>
        <translation>Median, min</translation>
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
        <source>Raters</source>
        <translation>Bewertende</translation>
    </message>
    <message>
        <source>in order of name; intervals are wide where few tasks are shared</source>
        <translation>nach Namen; Intervalle sind breit bei wenigen gemeinsamen Aufgaben</translation>
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
        <source>Never opened</source>
        <translation>Nie geöffnet</translation>
    </message>
    <message>
        <source>Warnings left</source>
        <translation>Offene Warnungen</translation>
    </message>
    <message>
        <source>α with the others</source>
        <translation>α mit den anderen</translation>
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
        <source>Same on repeats</source>
        <translation>Gleich bei Wiederholung</translation>
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
        <source>Page not kept</source>
        <translation>Seite nicht aufgehoben</translation>
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
        <source>Targets that differ most</source>
        <translation>Größte Abweichungen</translation>
    </message>
    <message>
        <source>{rater}, targets that differ most from the others</source>
        <translation>{rater}, größte Abweichungen von den anderen</translation>
    </message>
    <message>
        <source>Places that differ most</source>
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
        <source>Others</source>
        <translation>Andere</translation>
    </message>
    <message>
        <source>What is rated</source>
        <translation>Was bewertet wird</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>Wo</translation>
    </message>
    <message>
        <source>Nothing differs here.</source>
        <translation>Hier weicht nichts ab.</translation>
    </message>
    <message>
        <source>This rubric asks nothing that figures can compare.</source>
        <translation>Dieser Fragebogen fragt nichts, was sich mit Kennzahlen vergleichen lässt.</translation>
    </message>
    <message>
        <source>No rating has a majority of others to stand against.</source>
        <translation>Keiner Bewertung steht eine Mehrheit anderer gegenüber.</translation>
    </message>
    <message>
        <source>Show as table</source>
        <translation>Als Tabelle zeigen</translation>
    </message>
    <message>
        <source>No results yet</source>
        <translation>Noch keine Ergebnisse</translation>
    </message>
    <message>
        <source>Here the results of several raters are compared: how far they agree, where they differ, and how each of them works.</source>
        <translation>Hier werden die Ergebnisse mehrerer Bewertender verglichen: wie weit sie übereinstimmen, wo sie abweichen und wie jede Person arbeitet.</translation>
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
        <source>Open in review</source>
        <translation>In der Prüfung öffnen</translation>
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
        <source>Computing the figures</source>
        <translation>Die Kennzahlen werden berechnet</translation>
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
        <source>computing again</source>
        <translation>wird neu gerechnet</translation>
    </message>
    <message>
        <source>Saved as {file}.</source>
        <translation>Gespeichert als {file}.</translation>
    </message>
</context>
<context>
    <name>RescuePage</name>
    <message>
        <source>Desktop Rater</source>
        <translation>Desktop Rater</translation>
    </message>
    <message>
        <source>What is lost</source>
        <translation>Was verloren ist</translation>
    </message>
    <message>
        <source>The store lies in {folder}.</source>
        <translation>Die Ablage liegt in {folder}.</translation>
    </message>
    <message>
        <source>Looking for backups …</source>
        <translation>Sicherungen werden gesucht …</translation>
    </message>
    <message>
        <source>Save what can be read</source>
        <translation>Retten, was lesbar ist</translation>
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
        <source>Save what can be read keeps every answer that can be verified, from the damaged files and from the backups. The backup is the store as it was then. Either way the damaged files are kept.</source>
        <translation>Retten, was lesbar ist, behält jede Antwort, die sich nachprüfen lässt, aus den beschädigten Dateien und den Sicherungen. Die Sicherung ist die Ablage, wie sie damals war. Die beschädigten Dateien bleiben in beiden Fällen erhalten.</translation>
    </message>
    <message>
        <source>There is no backup. Every answer that can be verified can be saved into a new store; what can&apos;t be is named. The damaged files are kept.</source>
        <translation>Es gibt keine Sicherung. Jede Antwort, die sich nachprüfen lässt, kann in eine neue Ablage gerettet werden; was nicht, wird genannt. Die beschädigten Dateien bleiben erhalten.</translation>
    </message>
    <message>
        <source>Reading what is left …</source>
        <translation>Was übrig ist, wird gelesen …</translation>
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
        <source>Saved: {revisions}. Tasks: {tasks}, bundles: {bundles}, stored pages: {pages}.</source>
        <translation>Gerettet: {revisions}. Aufgaben: {tasks}, Bündel: {bundles}, abgelegte Seiten: {pages}.</translation>
    </message>
    <message>
        <source>The damaged files lie in {place}.</source>
        <translation>Die beschädigten Dateien liegen in {place}.</translation>
    </message>
    <message>
        <source>What could be read is saved.</source>
        <translation>Gerettet ist, was lesbar war.</translation>
    </message>
    <message>
        <source>Nothing is known to be lost.</source>
        <translation>Von Verlorenem ist nichts bekannt.</translation>
    </message>
    <message>
        <source>Lost, and listed in {report}: {n}</source>
        <translation>Verloren, und aufgezählt in {report}: {n}</translation>
    </message>
    <message>
        <source>Open the store</source>
        <translation>Ablage öffnen</translation>
    </message>
    <message>
        <source>That did not work.</source>
        <translation>Das ging nicht.</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>Noch einmal nachsehen</translation>
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
        <source>plain text</source>
        <translation>reiner Text</translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation>Markdown</translation>
    </message>
    <message>
        <source>source of Markdown</source>
        <translation>Quelltext von Markdown</translation>
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
        <source>Restore it</source>
        <translation>Zurückholen</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Andere wählen</translation>
    </message>
    <message>
        <source>There is no backup yet. One is made at each start, when something has changed.</source>
        <translation>Es gibt noch keine Sicherung. Bei jedem Start wird eine gemacht, wenn sich etwas geändert hat.</translation>
    </message>
    <message>
        <source>What you choose takes the place of your work. What is here now is kept, not deleted.</source>
        <translation>Was Sie wählen, ersetzt Ihre Arbeit. Was jetzt hier ist, wird aufgehoben, nicht gelöscht.</translation>
    </message>
    <message>
        <source>{when}, {revisions}</source>
        <translation>{when}, {revisions}</translation>
    </message>
    <message>
        <source>{what}

All that came later leaves the window: it is backed up once more, and the store as it is now moves to {place}. The window opens anew.</source>
        <translation>{what}

Alles Spätere verschwindet aus dem Fenster: Es wird noch einmal gesichert, und die Ablage, wie sie jetzt ist, kommt nach {place}. Das Fenster öffnet sich neu.</translation>
    </message>
</context>
<context>
    <name>Restoring</name>
    <message>
        <source>Reading the backup {name} …</source>
        <translation>Die Sicherung {name} wird gelesen …</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Not restored: the last answers are not saved yet.</source>
        <translation>Nicht zurückgeholt: Die letzten Antworten sind noch nicht gespeichert.</translation>
    </message>
    <message>
        <source>The backup is restored, with {revisions}.</source>
        <translation>Die Sicherung ist zurückgeholt: {revisions}.</translation>
    </message>
    <message>
        <source>The store that was here before lies in {place}.</source>
        <translation>Die bisherige Ablage liegt in {place}.</translation>
    </message>
    <message>
        <source>It could not be backed up before: {why}</source>
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
        <source>Everything is here: {counts}.</source>
        <translation>Alles ist da: {counts}.</translation>
    </message>
    <message>
        <source>Not everything is here: {what}. So far {counts}.</source>
        <translation>Nicht alles ist da: {what}. Bisher {counts}.</translation>
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
        <source>1 verdict to send</source>
        <translation>1 Urteil zu versenden</translation>
    </message>
    <message>
        <source>{n} verdicts to send</source>
        <translation>{n} Urteile zu versenden</translation>
    </message>
    <message>
        <source>1 task still out</source>
        <translation>1 Aufgabe noch unterwegs</translation>
    </message>
    <message>
        <source>{n} tasks still out</source>
        <translation>{n} Aufgaben noch unterwegs</translation>
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
        <source>sent nothing</source>
        <translation>nichts geschickt</translation>
    </message>
    <message>
        <source>lacks {tasks}</source>
        <translation>fehlt: {tasks}</translation>
    </message>
    <message>
        <source>lacks 1 task</source>
        <translation>1 Aufgabe fehlt</translation>
    </message>
    <message>
        <source>lacks {n} tasks</source>
        <translation>{n} Aufgaben fehlen</translation>
    </message>
    <message>
        <source>two results say different things of {tasks}</source>
        <translation>zwei Ergebnisse sagen Verschiedenes: {tasks}</translation>
    </message>
    <message>
        <source>rated another text of {tasks}</source>
        <translation>anderer Text bewertet: {tasks}</translation>
    </message>
    <message>
        <source>follows results that are not here</source>
        <translation>folgt auf Ergebnisse, die nicht da sind</translation>
    </message>
    <message>
        <source>{n} follow results that are not here</source>
        <translation>{n} folgen auf Ergebnisse, die nicht da sind</translation>
    </message>
    <message>
        <source>rated {tasks} without being asked</source>
        <translation>ungefragt bewertet: {tasks}</translation>
    </message>
    <message>
        <source>1 rating came anew</source>
        <translation>1 Bewertung kam neu</translation>
    </message>
    <message>
        <source>{n} ratings came anew</source>
        <translation>{n} Bewertungen kamen neu</translation>
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
        <source>a model</source>
        <translation>ein Modell</translation>
    </message>
    <message>
        <source>practice</source>
        <translation>Übung</translation>
    </message>
    <message>
        <source>The signature of 1 rater is not right.</source>
        <translation>Die Unterschrift von 1 Person stimmt nicht.</translation>
    </message>
    <message>
        <source>The signatures of {n} raters are not right.</source>
        <translation>Die Unterschriften von {n} Personen stimmen nicht.</translation>
    </message>
    <message>
        <source>signed, {key}</source>
        <translation>unterschrieben, {key}</translation>
    </message>
    <message>
        <source>signed, {key}, and no key of this rater is known</source>
        <translation>unterschrieben, {key}, und kein Schlüssel dieser Person ist bekannt</translation>
    </message>
    <message>
        <source>signed by a key that this rater has not published, {key}</source>
        <translation>unterschrieben mit einem Schlüssel, den diese Person nicht veröffentlicht hat, {key}</translation>
    </message>
    <message>
        <source>unsigned, though this rater signs</source>
        <translation>ohne Unterschrift, obwohl diese Person unterschreibt</translation>
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
        <source>nobody has rated it</source>
        <translation>noch von niemandem bewertet</translation>
    </message>
    <message>
        <source>fewer than most have</source>
        <translation>weniger als die meisten</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>abgewiesen</translation>
    </message>
    <message>
        <source>1 result is new</source>
        <translation>1 Ergebnis ist neu</translation>
    </message>
    <message>
        <source>{n} results are new</source>
        <translation>{n} Ergebnisse sind neu</translation>
    </message>
    <message>
        <source>1 bundle was read</source>
        <translation>1 Bündel wurde gelesen</translation>
    </message>
    <message>
        <source>{n} bundles were read</source>
        <translation>{n} Bündel wurden gelesen</translation>
    </message>
    <message>
        <source>1 public key is new</source>
        <translation>1 öffentlicher Schlüssel ist neu</translation>
    </message>
    <message>
        <source>{n} public keys are new</source>
        <translation>{n} öffentliche Schlüssel sind neu</translation>
    </message>
    <message>
        <source>1 file was here already</source>
        <translation>1 Datei war schon da</translation>
    </message>
    <message>
        <source>{n} files were here already</source>
        <translation>{n} Dateien waren schon da</translation>
    </message>
    <message>
        <source>1 file was refused</source>
        <translation>1 Datei wurde abgewiesen</translation>
    </message>
    <message>
        <source>{n} files were refused</source>
        <translation>{n} Dateien wurden abgewiesen</translation>
    </message>
    <message>
        <source>Nothing came in.</source>
        <translation>Es kam nichts an.</translation>
    </message>
</context>
<context>
    <name>ResultsIn</name>
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
        <source>Results came from the hub: {n}.</source>
        <translation>Vom Hub kamen Ergebnisse: {n}.</translation>
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
        <source>Results come as zip files that raters export. Drop them here, a whole folder at once, and the bundle that was rated beside them: then what is missing shows too.</source>
        <translation>Ergebnisse kommen als Zip-Dateien, die Bewertende ausgeben. Legen Sie sie hier ab, auch einen ganzen Ordner, und dazu das Bündel, das bewertet wurde: Dann zeigt sich auch, was fehlt.</translation>
    </message>
    <message>
        <source>Open the bundle itself too: then it shows what nobody has rated.</source>
        <translation>Öffnen Sie auch das Bündel selbst: Dann zeigt sich, was niemand bewertet hat.</translation>
    </message>
    <message>
        <source>No results yet</source>
        <translation>Noch keine Ergebnisse</translation>
    </message>
</context>
<context>
    <name>Returned</name>
    <message>
        <source>Sent back by {name}, with 1 comment</source>
        <translation>Zurückgegeben von {name}, mit 1 Anmerkung</translation>
    </message>
    <message>
        <source>Sent back by {name}, with {n} comments</source>
        <translation>Zurückgegeben von {name}, mit {n} Anmerkungen</translation>
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
        <source>Search too thin</source>
        <translation>Zu wenig gesucht</translation>
    </message>
    <message>
        <source>Label does not follow</source>
        <translation>Einstufung folgt nicht</translation>
    </message>
    <message>
        <source>Evidence does not say it</source>
        <translation>Beleg sagt es nicht</translation>
    </message>
    <message>
        <source>A claim is missed</source>
        <translation>Aussage übersehen</translation>
    </message>
    <message>
        <source>An edge case</source>
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
        <translation>Zurückgegeben von {name}</translation>
    </message>
    <message>
        <source>Sent back by {name}: {reasons}</source>
        <translation>Zurückgegeben von {name}: {reasons}</translation>
    </message>
</context>
<context>
    <name>ReturnedCommands</name>
    <message>
        <source>Nothing in this task was sent back.</source>
        <translation>In dieser Aufgabe wurde nichts zurückgegeben.</translation>
    </message>
</context>
<context>
    <name>Returning</name>
    <message>
        <source>the outbox for {hub}</source>
        <translation>dem Ausgang für {hub}</translation>
    </message>
    <message>
        <source>Write files instead …</source>
        <translation>Lieber als Dateien …</translation>
    </message>
    <message>
        <source>Nothing is to go back.</source>
        <translation>Es ist nichts zurückzugeben.</translation>
    </message>
    <message>
        <source>Some tasks go back once these have come back.</source>
        <translation>Einige Aufgaben gehen erst zurück, wenn diese wieder da sind.</translation>
    </message>
    <message>
        <source>1 task came back as it was: it goes again once you say something else to it.</source>
        <translation>1 Aufgabe kam unverändert zurück: Sie geht wieder hinaus, sobald Sie etwas anderes dazu sagen.</translation>
    </message>
    <message>
        <source>{n} tasks came back as they were: they go again once you say something else to them.</source>
        <translation>{n} Aufgaben kamen unverändert zurück: Sie gehen wieder hinaus, sobald Sie etwas anderes dazu sagen.</translation>
    </message>
    <message>
        <source>{n} more</source>
        <translation>{n} weitere</translation>
    </message>
    <message>
        <source>1 bundle is in {folder}: {raters}.</source>
        <translation>1 Bündel ist in {folder}: {raters}.</translation>
    </message>
    <message>
        <source>{n} bundles are in {folder}: {raters}.</source>
        <translation>{n} Bündel sind in {folder}: {raters}.</translation>
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
        <source>tied</source>
        <translation>Gleichstand</translation>
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
        <source>Answers</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Nichts</translation>
    </message>
    <message>
        <source>{n} differ</source>
        <translation>uneins: {n}</translation>
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
        <source>Rests on</source>
        <translation>Beruht auf</translation>
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
        <source>Comment</source>
        <translation>Kommentar</translation>
    </message>
    <message>
        <source>Note to you</source>
        <translation>Notiz an Sie</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>Warnungen</translation>
    </message>
    <message>
        <source>Changed since</source>
        <translation>Änderungen</translation>
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
        <source>Of an earlier rating</source>
        <translation>Zu einer früheren Bewertung</translation>
    </message>
    <message>
        <source>{n} more</source>
        <translation>{n} weitere</translation>
    </message>
    <message>
        <source>None. No page opened.</source>
        <translation>Keine. Keine Seite geöffnet.</translation>
    </message>
    <message>
        <source>None.</source>
        <translation>Keine.</translation>
    </message>
    <message>
        <source>Opened in this task and not taken: {n}</source>
        <translation>In dieser Aufgabe geöffnet und nicht genommen: {n}</translation>
    </message>
    <message>
        <source>No address</source>
        <translation>Keine Adresse</translation>
    </message>
    <message>
        <source>Supports</source>
        <translation>Stützt</translation>
    </message>
    <message>
        <source>Contradicts</source>
        <translation>Widerspricht</translation>
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
        <source>page kept</source>
        <translation>Seite aufgehoben</translation>
    </message>
    <message>
        <source>page not kept</source>
        <translation>Seite nicht aufgehoben</translation>
    </message>
    <message>
        <source>The worst of its claims.</source>
        <translation>Die schlechteste ihrer Aussagen.</translation>
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
        <source>By a key that this rater has not published: {key}</source>
        <translation>Mit einem Schlüssel, den diese Person nicht veröffentlicht hat: {key}</translation>
    </message>
    <message>
        <source>Unsigned</source>
        <translation>Ohne Unterschrift</translation>
    </message>
    <message>
        <source>Unsigned, though this rater signs</source>
        <translation>Ohne Unterschrift, obwohl diese Person unterschreibt</translation>
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
        <source>Rated again after {n} earlier</source>
        <translation>Erneut bewertet, frühere: {n}</translation>
    </message>
    <message>
        <source>Another one of this rater stands beside it</source>
        <translation>Daneben steht eine andere Bewertung dieser Person</translation>
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
        <source>Evidence no longer answers</source>
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
        <source>Accepted</source>
        <translation>Angenommen</translation>
    </message>
    <message>
        <source>Corrected</source>
        <translation>Berichtigt</translation>
    </message>
    <message>
        <source>{minutes}:{seconds:02d} on it</source>
        <translation>{minutes}:{seconds:02d} daran</translation>
    </message>
</context>
<context>
    <name>ReviewRoom</name>
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
    <name>Rooms</name>
    <message>
        <source>Rooms</source>
        <translation>Räume</translation>
    </message>
    <message>
        <source>Rate</source>
        <translation>Bewerten</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>Prüfung</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
</context>
<context>
    <name>RubricPreview</name>
    <message>
        <source>What you answer here is gone when the window is closed.</source>
        <translation>Was Sie hier antworten, ist fort, sobald das Fenster geschlossen wird.</translation>
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
        <source>This is a preview of {name}, and follows each change of the file. {why}</source>
        <translation>Das ist eine Vorschau von {name}, und sie folgt jeder Änderung der Datei. {why}</translation>
    </message>
    <message>
        <source>The form shows {name} as it stands now.</source>
        <translation>Die Fragen zeigen {name}, wie es jetzt dasteht.</translation>
    </message>
    <message>
        <source>{why} The form shows the rubric as it was.</source>
        <translation>{why} Die Fragen zeigen den Fragebogen, wie er war.</translation>
    </message>
</context>
<context>
    <name>SamplePanel</name>
    <message>
        <source>Draw a sample</source>
        <translation>Stichprobe ziehen</translation>
    </message>
    <message>
        <source>Which targets do you look at?</source>
        <translation>Welche Stellen sehen Sie an?</translation>
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
        <source>All that miss the gold</source>
        <translation>Alle, die das Muster verfehlen</translation>
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
        <source>Drawn now: {n} of {total} targets, seed {seed}. {how}.</source>
        <translation>Gezogen sind {n} von {total} Stellen, Startwert {seed}. {how}.</translation>
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
        <source>AV: mean over all points. AMV: over the point of each topic whose answer dares most. AFV, AFMV: the same over the two topics with the most points. 0.5 is what silence has, and any answer that is given without looking.</source>
        <translation>AV: Mittel über alle Punkte. AMV: über den Punkt jedes Themas, dessen Antwort am meisten wagt. AFV, AFMV: dasselbe über die zwei Themen mit den meisten Punkten. 0,5 hat, wer schweigt, und jede Antwort, die ohne Hinsehen gegeben wird.</translation>
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
        <source>{scored} of {total} texts of raters are scored. The report shows AV as the text score.</source>
        <translation>Gewertet sind {scored} von {total} Texten der Bewertenden. Der Bericht zeigt AV als Textwertung.</translation>
    </message>
    <message>
        <source>Points of {n} texts count as silent, since the answers could not be used.</source>
        <translation>Texte mit Punkten, die als schweigend zählen, weil die Antworten nicht zu gebrauchen waren: {n}.</translation>
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
        <source>Reading what the raters wrote</source>
        <translation>Die Texte der Bewertenden werden gelesen</translation>
    </message>
    <message>
        <source>{done} of 1 text answered; each answer is kept at once</source>
        <translation>{done} von 1 Text beantwortet; jede Antwort wird sofort gespeichert</translation>
    </message>
    <message>
        <source>the model is asked</source>
        <translation>das Modell wird gefragt</translation>
    </message>
    <message>
        <source>General</source>
        <translation>Allgemein</translation>
    </message>
    <message>
        <source>{done} of {total} texts answered; each answer is kept at once</source>
        <translation>{done} von {total} Texten beantwortet; jede Antwort wird sofort gespeichert</translation>
    </message>
</context>
<context>
    <name>ScoringPage</name>
    <message>
        <source>Score justifications</source>
        <translation>Begründungen werten</translation>
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
        <source>There is no gold text yet</source>
        <translation>Es gibt noch keinen Mustertext</translation>
    </message>
    <message>
        <source>What raters write is held against texts that count as right, and there is none. Open your copy of the bundle with its gold (Ctrl O in the report), or choose raters whose texts count as gold (G).</source>
        <translation>Was Bewertende schreiben, wird an Texten gemessen, die als richtig gelten, und es gibt keine. Öffnen Sie Ihr Exemplar des Bündels mit den Musterantworten (Strg O im Bericht), oder wählen Sie Bewertende, deren Texte als Muster gelten (G).</translation>
    </message>
    <message>
        <source>Gold alone</source>
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
    <name>Session</name>
    <message>
        <source>Nothing is suggested here that is not answered.</source>
        <translation>Hier ist nichts vorgeschlagen, was nicht beantwortet ist.</translation>
    </message>
    <message>
        <source>Only a target has borders.</source>
        <translation>Nur eine Stelle hat Grenzen.</translation>
    </message>
    <message>
        <source>Select the words that the target should hold.</source>
        <translation>Die Wörter auswählen, die zur Stelle gehören.</translation>
    </message>
    <message>
        <source>No claims are asked for here.</source>
        <translation>Hier wird nach keinen Aussagen gefragt.</translation>
    </message>
    <message>
        <source>Select the words of the claim inside this target, then press L.</source>
        <translation>Die Wörter der Aussage in dieser Stelle auswählen, dann L drücken.</translation>
    </message>
    <message>
        <source>No evidence is asked for here.</source>
        <translation>Hier wird nach keinen Belegen gefragt.</translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message>
        <source>Rater</source>
        <translation>Bewertende Person</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>Aussehen</translation>
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
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Your name in ratings</source>
        <translation>Ihr Name in Bewertungen</translation>
    </message>
    <message>
        <source>Earlier ratings keep the name that they have.</source>
        <translation>Frühere Bewertungen behalten ihren Namen.</translation>
    </message>
    <message>
        <source>Your part</source>
        <translation>Ihre Rolle</translation>
    </message>
    <message>
        <source>QA lead</source>
        <translation>Prüfleitung</translation>
    </message>
    <message>
        <source>A QA lead has two rooms more: review and report.</source>
        <translation>Die Prüfleitung hat zwei Räume mehr: Prüfung und Bericht.</translation>
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
        <source>Size of the text that is rated</source>
        <translation>Schrift der Antwort</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Questions stay in the language of their rubric.</source>
        <translation>Fragen bleiben in der Sprache ihres Fragebogens.</translation>
    </message>
    <message>
        <source>Time rests without input after</source>
        <translation>Uhr ruht ohne Eingabe nach</translation>
    </message>
    <message>
        <source>Differences between two responses</source>
        <translation>Unterschiede zweier Antworten</translation>
    </message>
    <message>
        <source>Not marked</source>
        <translation>Nicht markiert</translation>
    </message>
    <message>
        <source>Marked by sentence</source>
        <translation>Satzweise markiert</translation>
    </message>
    <message>
        <source>Two responses scroll</source>
        <translation>Zwei Antworten scrollen</translation>
    </message>
    <message>
        <source>Each by itself</source>
        <translation>Jede für sich</translation>
    </message>
    <message>
        <source>Together</source>
        <translation>Gemeinsam</translation>
    </message>
    <message>
        <source>Search for a claim with</source>
        <translation>Aussagen suchen mit</translation>
    </message>
    <message>
        <source>The engine is sent the words of the claim. Google answers with JavaScript only.</source>
        <translation>Die Suchmaschine bekommt die Worte der Aussage. Google antwortet nur mit JavaScript.</translation>
    </message>
    <message>
        <source>Your company&apos;s proxy</source>
        <translation>Proxy Ihrer Firma</translation>
    </message>
    <message>
        <source>As http://host:port, or empty. Every page then comes through it, and it alone keeps you from private addresses.</source>
        <translation>Als http://host:port, oder leer. Dann kommt jede Seite über ihn, und nur er hält Sie von privaten Adressen fern.</translation>
    </message>
    <message>
        <source>Sync by itself every</source>
        <translation>Von selbst abgleichen alle</translation>
    </message>
    <message>
        <source>0: only when you say so.</source>
        <translation>0: nur, wenn Sie es sagen.</translation>
    </message>
    <message>
        <source>Red without a sync for</source>
        <translation>Rot ohne Abgleich nach</translation>
    </message>
    <message>
        <source>File with own certificates</source>
        <translation>Datei eigener Zertifikate</translation>
    </message>
    <message>
        <source>As PEM, for a hub that no public authority vouches for. Your project says whether there is one.</source>
        <translation>Als PEM, für einen Hub, für den keine öffentliche Zertifizierungsstelle bürgt. Ihr Projekt sagt, ob es eine solche Datei gibt.</translation>
    </message>
    <message>
        <source>Address of the endpoint</source>
        <translation>Adresse des Endpunkts</translation>
    </message>
    <message>
        <source>Only a QA lead needs it, to score justifications. Such as https://host/v1; texts that are scored go there.</source>
        <translation>Nur die Prüfleitung braucht sie, um Begründungen zu werten. Etwa https://host/v1; Texte, die gewertet werden, gehen dorthin.</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Price of a million tokens that are sent</source>
        <translation>Preis je Million gesendeter Token</translation>
    </message>
    <message>
        <source>Price of a million tokens that come back</source>
        <translation>Preis je Million empfangener Token</translation>
    </message>
    <message>
        <source>In any currency. Without both no cost in money is shown.</source>
        <translation>In beliebiger Währung. Fehlen beide, werden keine Kosten in Geld gezeigt.</translation>
    </message>
    <message>
        <source>Keys of actions</source>
        <translation>Tasten der Aktionen</translation>
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
        <source>Own certificates</source>
        <translation>Eigene Zertifikate</translation>
    </message>
    <message>
        <source>Choose a file with own certificates</source>
        <translation>Datei mit eigenen Zertifikaten wählen</translation>
    </message>
    <message>
        <source>Choose a folder as the hub</source>
        <translation>Ordner als Hub wählen</translation>
    </message>
    <message>
        <source>Only where your project gave you a file</source>
        <translation>Nur mit einer Datei Ihres Projekts</translation>
    </message>
</context>
<context>
    <name>Signer</name>
    <message>
        <source>Pass phrase …</source>
        <translation>Kennsatz …</translation>
    </message>
    <message>
        <source>The results are not signed: your signing key is in a file, and waits for its pass phrase.</source>
        <translation>Die Ergebnisse sind nicht unterschrieben: Ihr Signierschlüssel ist in einer Datei und wartet auf seinen Kennsatz.</translation>
    </message>
    <message>
        <source>The results are not signed: {why}</source>
        <translation>Die Ergebnisse sind nicht unterschrieben: {why}</translation>
    </message>
    <message>
        <source>The results are not signed: there is no keyring here that keeps a key safely. A file can keep it, with a pass phrase.</source>
        <translation>Die Ergebnisse sind nicht unterschrieben: Hier gibt es keinen Schlüsselbund, der einen Schlüssel sicher verwahrt. Eine Datei kann es, mit einem Kennsatz.</translation>
    </message>
    <message>
        <source>From now on results are signed with your key {key}. Export again to sign these.</source>
        <translation>Von jetzt an werden Ergebnisse mit Ihrem Schlüssel {key} unterschrieben. Geben Sie noch einmal aus, um auch diese zu unterschreiben.</translation>
    </message>
    <message>
        <source>That did not work.</source>
        <translation>Das ging nicht.</translation>
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
        <source>Why can&apos;t this task be rated?</source>
        <translation>Warum geht diese Aufgabe nicht?</translation>
    </message>
    <message>
        <source>In a few words</source>
        <translation>In wenigen Worten</translation>
    </message>
    <message>
        <source>Keep rating</source>
        <translation>Weiter bewerten</translation>
    </message>
    <message>
        <source>Skip the task</source>
        <translation>Aufgabe überspringen</translation>
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
    <name>StateLine</name>
    <message>
        <source>sha256 {start}…{end}</source>
        <translation>sha256 {start}…{end}</translation>
    </message>
    <message>
        <source>Fetch again</source>
        <translation>Neu abrufen</translation>
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
    <name>StatePage</name>
    <message>
        <source>What goes there</source>
        <translation>Was dorthin geht</translation>
    </message>
    <message>
        <source>What came</source>
        <translation>Was kam</translation>
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
        <source>Other hub …</source>
        <translation>Anderer Hub …</translation>
    </message>
    <message>
        <source>Disconnect …</source>
        <translation>Trennen …</translation>
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
        <source>All that was sent has been read back from the hub.</source>
        <translation>Alles, was gesendet wurde, ist vom Hub zurückgelesen.</translation>
    </message>
    <message>
        <source>Nothing was sent yet: results go when every task of a bundle is finished.</source>
        <translation>Noch wurde nichts gesendet: Ergebnisse gehen hinaus, wenn alle Aufgaben eines Bündels fertig sind.</translation>
    </message>
    <message>
        <source>Your ratings stay here, and so does what is on the hub. Nothing is sent any more.</source>
        <translation>Ihre Bewertungen bleiben hier, und was auf dem Hub ist, bleibt dort. Gesendet wird nichts mehr.</translation>
    </message>
    <message>
        <source>1 result has not gone yet: it waits until you connect to this hub again.</source>
        <translation>1 Ergebnis ist noch nicht dort und wartet, bis Sie sich wieder mit diesem Hub verbinden.</translation>
    </message>
    <message>
        <source>{n} results have not gone yet: they wait until you connect to this hub again.</source>
        <translation>{n} Ergebnisse sind noch nicht dort und warten, bis Sie sich wieder mit diesem Hub verbinden.</translation>
    </message>
    <message>
        <source>Stay connected</source>
        <translation>Verbunden bleiben</translation>
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
        <source>Not saved, trying again</source>
        <translation>Nicht gespeichert, neuer Versuch</translation>
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
        <source>Keys read the page</source>
        <translation>Tasten lesen die Seite</translation>
    </message>
    <message>
        <source>Keys answer</source>
        <translation>Tasten antworten</translation>
    </message>
    <message>
        <source>Typing: Esc leaves</source>
        <translation>Schreiben: Esc verlässt</translation>
    </message>
    <message>
        <source>Keys navigate</source>
        <translation>Tasten steuern</translation>
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
    <name>Steps</name>
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
    <name>Stops</name>
    <message>
        <source>current</source>
        <translation>aktuell</translation>
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
        <source>The last answers may be missing: the program ended without closing the store, and its log is gone since.</source>
        <translation>Die letzten Antworten fehlen vielleicht: Das Programm endete, ohne die Ablage zu schließen, und ihr Protokoll ist seitdem fort.</translation>
    </message>
    <message>
        <source>Check the store</source>
        <translation>Ablage prüfen</translation>
    </message>
    <message>
        <source>The store is damaged.</source>
        <translation>Die Ablage ist beschädigt.</translation>
    </message>
</context>
<context>
    <name>StoredPage</name>
    <message>
        <source>The page as it was stored</source>
        <translation>Die Seite, wie sie abgelegt wurde</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Looking for the stored page</source>
        <translation>Die abgelegte Seite wird gesucht</translation>
    </message>
    <message>
        <source>No page of this address is stored here: it did not come with the results.</source>
        <translation>Von dieser Adresse ist hier keine Seite abgelegt: Sie kam nicht mit den Ergebnissen.</translation>
    </message>
    <message>
        <source>as the rater saw it</source>
        <translation>wie die Person sie sah</translation>
    </message>
    <message>
        <source>the newest one that is stored</source>
        <translation>die neueste, die abgelegt ist</translation>
    </message>
    <message>
        <source>Stored {day}, {same}</source>
        <translation>Abgelegt am {day}, {same}</translation>
    </message>
    <message>
        <source>{stored}. The quote does not stand on it word for word.</source>
        <translation>{stored}. Das Zitat steht nicht Wort für Wort darauf.</translation>
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
        <source>Words that stood on the page</source>
        <translation>Wörter, die auf der Seite standen</translation>
    </message>
    <message>
        <source>Stored pages with these words</source>
        <translation>Abgelegte Seiten mit diesen Wörtern</translation>
    </message>
    <message>
        <source>Every page that was opened in this bundle is stored, with what it says.</source>
        <translation>Jede Seite, die in diesem Bündel geöffnet wurde, ist mit ihrem Text abgelegt.</translation>
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
</context>
<context>
    <name>Stores</name>
    <message>
        <source>Read-only: an older version made this store, and it was not brought up to date.</source>
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
    <name>Summary</name>
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
        <source>Take as supporting</source>
        <translation>Nehmen: stützt</translation>
    </message>
    <message>
        <source>Supporting</source>
        <translation>Stützt</translation>
    </message>
    <message>
        <source>Take as contradicting</source>
        <translation>Nehmen: widerspricht</translation>
    </message>
    <message>
        <source>Contradicting</source>
        <translation>Widerspricht</translation>
    </message>
    <message>
        <source>Choose a sentence</source>
        <translation>Einen Satz wählen</translation>
    </message>
    <message>
        <source>No evidence is asked for here.</source>
        <translation>Hier wird nach keinen Belegen gefragt.</translation>
    </message>
    <message>
        <source>Nothing selected, for {place}</source>
        <translation>Nichts gewählt, für {place}</translation>
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
        <source>claim {n}</source>
        <translation>Aussage {n}</translation>
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
    <name>TakingCommands</name>
    <message>
        <source>Passages are taken in the reader, where the page is kept. R goes there with what is selected.</source>
        <translation>Passagen werden in der Leseansicht genommen, wo die Seite aufgehoben ist. R geht mit der Auswahl dorthin.</translation>
    </message>
    <message>
        <source>Nothing is selected on the page. The arrows choose a sentence.</source>
        <translation>Auf der Seite ist nichts ausgewählt. Die Pfeile wählen einen Satz.</translation>
    </message>
    <message>
        <source>This page was evidence here already. Its quote is this passage now.</source>
        <translation>Diese Seite war hier schon ein Beleg. Sein Zitat ist jetzt diese Passage.</translation>
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
    <name>TargetStrip</name>
    <message>
        <source>Targets</source>
        <translation>Stellen</translation>
    </message>
</context>
<context>
    <name>TaskList</name>
    <message>
        <source>Tasks</source>
        <translation>Aufgaben</translation>
    </message>
    <message>
        <source>Bundle</source>
        <translation>Bündel</translation>
    </message>
    <message>
        <source>Which tasks are shown</source>
        <translation>Welche Aufgaben gezeigt werden</translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>Filter löschen</translation>
    </message>
    <message>
        <source>No task is like that.</source>
        <translation>Keine Aufgabe ist so.</translation>
    </message>
    <message>
        <source>This bundle has no tasks.</source>
        <translation>Dieses Bündel hat keine Aufgaben.</translation>
    </message>
    <message>
        <source>of {total} done</source>
        <translation>von {total} fertig</translation>
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
    <name>TextPane</name>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Take the sentence</source>
        <translation>Satz nehmen</translation>
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
        <source>What does the text say of this?</source>
        <translation>Was sagt der Text dazu?</translation>
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
        <source>The same words stand at {n} places.</source>
        <translation>Dieselben Worte stehen an {n} Stellen.</translation>
    </message>
    <message>
        <source>Prompt and what belongs to it</source>
        <translation>Anfrage und was dazugehört</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Anfrage</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>Gespräch</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>Vorlage</translation>
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
        <source>The words that both have in common: 0 is none of them, 1 is all.</source>
        <translation>Die Wörter, die beide gemeinsam haben: 0 heißt keines, 1 heißt alle.</translation>
    </message>
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
    <name>ToolOutput</name>
    <message>
        <source>Output of the tool call</source>
        <translation>Ausgabe des Werkzeugs</translation>
    </message>
    <message>
        <source>Input and output of the tool call</source>
        <translation>Eingabe und Ausgabe des Werkzeugs</translation>
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
        <source>Tool output: {n} calls, no output kept</source>
        <translation>Werkzeugausgabe: {n} Aufrufe, keine Ausgabe aufgehoben</translation>
    </message>
    <message>
        <source>Tool output: 1 call, no output kept</source>
        <translation>Werkzeugausgabe: 1 Aufruf, keine Ausgabe aufgehoben</translation>
    </message>
    <message>
        <source>Tool output: the call gave no answer</source>
        <translation>Werkzeugausgabe: Aufruf ohne Antwort</translation>
    </message>
    <message>
        <source>Tool output: {n} of {total} calls gave no answer</source>
        <translation>Werkzeugausgabe: {n} von {total} Aufrufen ohne Antwort</translation>
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
        <source>empty answer</source>
        <translation>leere Antwort</translation>
    </message>
    <message>
        <source>error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>no output kept</source>
        <translation>keine Ausgabe aufgehoben</translation>
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
        <source>Not exported: the last answers are not saved yet.</source>
        <translation>Nicht ausgegeben: Die letzten Antworten sind noch nicht gespeichert.</translation>
    </message>
    <message>
        <source>Exporting to {name}</source>
        <translation>Ausgabe nach {name}</translation>
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
        <source>That did not work.</source>
        <translation>Das ging nicht.</translation>
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
        <source>Take close matches too</source>
        <translation>Auch ähnliche Stellen nehmen</translation>
    </message>
    <message>
        <source>{name}: nothing to do, the store has {bundle} already.</source>
        <translation>{name}: Nichts zu tun, {bundle} ist schon in der Ablage.</translation>
    </message>
    <message>
        <source>{name}: {n} tasks of {bundle} revision {revision} are in the store.</source>
        <translation>{name}: {n} Aufgaben von {bundle}, Stand {revision}, sind in der Ablage.</translation>
    </message>
    <message>
        <source>{name}: 1 task of {bundle} revision {revision} is in the store.</source>
        <translation>{name}: 1 Aufgabe von {bundle}, Stand {revision}, ist in der Ablage.</translation>
    </message>
    <message>
        <source>1 rating is in {name}.</source>
        <translation>1 Bewertung ist in {name}.</translation>
    </message>
    <message>
        <source>{n} ratings are in {name}.</source>
        <translation>{n} Bewertungen sind in {name}.</translation>
    </message>
    <message>
        <source>1 task stays here: it is not finished.</source>
        <translation>1 Aufgabe bleibt hier: Sie ist nicht fertig.</translation>
    </message>
    <message>
        <source>{n} tasks stay here: they are not finished.</source>
        <translation>{n} Aufgaben bleiben hier: Sie sind nicht fertig.</translation>
    </message>
    <message>
        <source>Signed with your key {key}.</source>
        <translation>Mit Ihrem Schlüssel {key} unterschrieben.</translation>
    </message>
    <message>
        <source>1 stored page was altered on the disk and is not in it.</source>
        <translation>1 abgelegte Seite wurde auf der Platte verändert und ist nicht dabei.</translation>
    </message>
    <message>
        <source>{n} stored pages were altered on the disk and are not in it.</source>
        <translation>{n} abgelegte Seiten wurden auf der Platte verändert und sind nicht dabei.</translation>
    </message>
    <message>
        <source>Go to the first</source>
        <translation>Zur ersten</translation>
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
        <source>Export what is finished</source>
        <translation>Ausgeben, was fertig ist</translation>
    </message>
    <message>
        <source>{tasks} and {n} more</source>
        <translation>{tasks} und {n} weiteren</translation>
    </message>
    <message>
        <source>1 problem blocks in {tasks}.</source>
        <translation>1 Problem sperrt in {tasks}.</translation>
    </message>
    <message>
        <source>{n} problems block in {tasks}.</source>
        <translation>{n} Probleme sperren in {tasks}.</translation>
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
        <source>The disk failed for a while. All answers are saved now. Check the disk, then the store: menu Help.</source>
        <translation>Die Platte hat eine Weile versagt. Jetzt sind alle Antworten gespeichert. Prüfen Sie die Platte, dann die Ablage: Menü Hilfe.</translation>
    </message>
    <message>
        <source>Not saved: your answers in {tasks}. They are kept, and tried again every {n} s.</source>
        <translation>Nicht gespeichert: Ihre Antworten in {tasks}. Sie bleiben erhalten, und alle {n} s folgt ein neuer Versuch.</translation>
    </message>
    <message>
        <source>{tasks} and {n} more</source>
        <translation>{tasks} und {n} weiteren</translation>
    </message>
</context>
<context>
    <name>UpdatePage</name>
    <message>
        <source>Desktop Rater</source>
        <translation>Desktop Rater</translation>
    </message>
    <message>
        <source>The store is being brought up to date.</source>
        <translation>Die Ablage wird aktualisiert.</translation>
    </message>
    <message>
        <source>An older version of this program made it. It is backed up first, and then opened.</source>
        <translation>Sie stammt aus einer älteren Version dieses Programms. Sie wird erst gesichert, dann geöffnet.</translation>
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
        <source>Changing its tables …</source>
        <translation>Ihre Tabellen werden geändert …</translation>
    </message>
    <message>
        <source>Stopping …</source>
        <translation>Es wird abgebrochen …</translation>
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
        <source>Keep the correction</source>
        <translation>Berichtigung behalten</translation>
    </message>
    <message>
        <source>What should the rater look at again?</source>
        <translation>Was ist noch einmal anzusehen?</translation>
    </message>
    <message>
        <source>Why it is corrected, in a few words</source>
        <translation>Warum berichtigt, in wenigen Worten</translation>
    </message>
</context>
<context>
    <name>Verdicts</name>
    <message>
        <source>Answer first: M opens the form</source>
        <translation>Erst antworten: M öffnet die Fragen</translation>
    </message>
    <message>
        <source>Written, not sent back yet: B goes on</source>
        <translation>Geschrieben, noch nicht zurückgegeben: weiter mit B</translation>
    </message>
    <message>
        <source>{kind}, an earlier rating</source>
        <translation>{kind}, frühere Bewertung</translation>
    </message>
    <message>
        <source>{kind}: {why}</source>
        <translation>{kind}: {why}</translation>
    </message>
    <message>
        <source>You said {label}</source>
        <translation>Sie sagten {label}</translation>
    </message>
    <message>
        <source>No final label: L decides</source>
        <translation>Kein endgültiges Ergebnis: L entscheidet</translation>
    </message>
    <message>
        <source>Final: {label}, by you</source>
        <translation>Endgültig: {label}, von Ihnen</translation>
    </message>
    <message>
        <source>Final: {label}</source>
        <translation>Endgültig: {label}</translation>
    </message>
</context>
<context>
    <name>WholeTarget</name>
    <message>
        <source>Whole target: the worst of its claims</source>
        <translation>Ganze Stelle: die schlechteste ihrer Aussagen</translation>
    </message>
</context>
<context>
    <name>WordBar</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
</context>
<context>
    <name>_CrashDialog</name>
    <message>
        <source>Something in the program went wrong</source>
        <translation>Im Programm ging etwas schief</translation>
    </message>
    <message>
        <source>This is a fault of the program, not of yours. Your answers stay on screen. The details below say where it happened; none of the texts being rated is in them.</source>
        <translation>Das ist ein Fehler des Programms, nicht Ihrer. Ihre Antworten bleiben auf dem Schirm. Die Angaben unten sagen, wo es geschah; von den bewerteten Texten steht nichts darin.</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Angaben</translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation>Angaben kopieren</translation>
    </message>
</context>
</TS>
