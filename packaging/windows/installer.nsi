; The installer for Windows: for one user, without administrator. `installer.exe /S` installs silently, `/D=FOLDER` (last,
; without quotes) elsewhere; `uninstall.exe /S` removes it. Made by make_installer.py, which defines VERSION, SOURCE and OUT.
!include LogicLib.nsh

!define CLASSES "Software\Classes"
!define TYPE "DesktopRater.Bundle"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\DesktopRater"
!define MARKER "program\desktop-rater.installed"
!define PACKAGES "$INSTDIR\program\Lib\site-packages"
!define RUN '"$INSTDIR\program\pythonw.exe" -I -m desktop_rater'

; Windows moves no folder in which a file is open, so that a program that runs stays whole. A folder `program` without
; the marker belongs to another program, and is never removed.
!macro RemoveProgram THEN
  RMDir /r "$INSTDIR\desktop-rater.old"
  ${If} ${FileExists} "$INSTDIR\program"
    ${IfNot} ${FileExists} "$INSTDIR\${MARKER}"
      MessageBox MB_OK|MB_ICONSTOP "$INSTDIR contains the files of another program. Choose another folder." /SD IDOK
      Abort
    ${EndIf}
    ClearErrors
    Rename "$INSTDIR\program" "$INSTDIR\desktop-rater.old"
    ${If} ${Errors}
      MessageBox MB_OK|MB_ICONSTOP "Desktop Rater is open. Close it, then ${THEN} again." /SD IDOK
      Abort
    ${EndIf}
    RMDir /r "$INSTDIR\desktop-rater.old"
  ${EndIf}
!macroend

Target amd64-unicode
SetCompressor /SOLID lzma
RequestExecutionLevel user
ManifestDPIAware true
Name "Desktop Rater"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Desktop Rater"
InstallDirRegKey HKCU "${UNINSTALL}" "InstallLocation"
Icon "${SOURCE}\desktop-rater.ico"
UninstallIcon "${SOURCE}\desktop-rater.ico"
LicenseData "${SOURCE}\LICENSE"

Page license
Page directory
Page instfiles
UninstPage uninstConfirm
UninstPage instfiles

Section
  SetShellVarContext current
  !insertmacro RemoveProgram install  ; an earlier version
  CreateDirectory "$INSTDIR\program"
  FileOpen $0 "$INSTDIR\${MARKER}" w  ; first, so that what an interrupted installation leaves can be replaced
  FileClose $0
  SetOutPath "$INSTDIR"
  File /r "${SOURCE}\*"
  ; What a start loads is compiled now, and not while the user waits for the first window.
  nsExec::Exec '"$INSTDIR\program\python.exe" -I -m compileall -q "${PACKAGES}\desktop_rater" "${PACKAGES}\click" "${PACKAGES}\filelock" "${PACKAGES}\msgspec" "${PACKAGES}\platformdirs" "${PACKAGES}\sqlite_utils"'
  Pop $0
  WriteUninstaller "$INSTDIR\uninstall.exe"

  CreateShortcut "$SMPROGRAMS\Desktop Rater.lnk" "$INSTDIR\program\pythonw.exe" "-I -m desktop_rater" "$INSTDIR\desktop-rater.ico"

  WriteRegStr HKCU "${CLASSES}\.rater" "" "${TYPE}"
  WriteRegStr HKCU "${CLASSES}\.rater" "Content Type" "application/vnd.desktoprater.bundle+zip"
  WriteRegStr HKCU "${CLASSES}\${TYPE}" "" "Task bundle of Desktop Rater"
  WriteRegStr HKCU "${CLASSES}\${TYPE}\DefaultIcon" "" "$INSTDIR\rater-bundle.ico"
  WriteRegStr HKCU "${CLASSES}\${TYPE}\shell\open\command" "" '${RUN} "%1"'
  System::Call "shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)"

  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Desktop Rater"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\desktop-rater.ico"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "The Desktop Rater authors"
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
SectionEnd

; Ratings, settings and logs are elsewhere, and stay.
Section "Uninstall"
  SetShellVarContext current
  !insertmacro RemoveProgram uninstall
  Delete "$INSTDIR\desktop-rater.cmd"
  Delete "$INSTDIR\desktop-rater.ico"
  Delete "$INSTDIR\rater-bundle.ico"
  Delete "$INSTDIR\LICENSE"
  Delete "$INSTDIR\THIRD-PARTY-NOTICES.txt"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Desktop Rater.lnk"
  DeleteRegKey HKCU "${CLASSES}\${TYPE}"
  ReadRegStr $0 HKCU "${CLASSES}\.rater" ""
  StrCmp $0 "${TYPE}" 0 +2
    DeleteRegKey HKCU "${CLASSES}\.rater"
  DeleteRegKey HKCU "${UNINSTALL}"
  System::Call "shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)"
SectionEnd
