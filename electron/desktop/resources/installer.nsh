# What electron-builder's installer for Windows leaves to the product. Sheaf is installed for one person: the MSI is for
# everybody on a computer.

!macro customHeader
  LangString sendToTitle ${LANG_ENGLISH} "Send to"
  LangString sendToTitle ${LANG_GERMAN} "Senden an"
  LangString sendToTitle ${LANG_FRENCH} "Envoyer vers"
  LangString sendToText ${LANG_ENGLISH} "How documents reach Sheaf from the Explorer"
  LangString sendToText ${LANG_GERMAN} "Wie Dokumente aus dem Explorer zu Sheaf kommen"
  LangString sendToText ${LANG_FRENCH} "Comment les documents parviennent à Sheaf depuis l’Explorateur"
  LangString sendToChoice ${LANG_ENGLISH} "Add Sheaf to the «Send to» menu of files and folders"
  LangString sendToChoice ${LANG_GERMAN} "Sheaf in das Menü «Senden an» von Dateien und Ordnern aufnehmen"
  LangString sendToChoice ${LANG_FRENCH} "Ajouter Sheaf au menu « Envoyer vers » des fichiers et dossiers"
  LangString dataStays ${LANG_ENGLISH} "Your documents and spreadsheets stay where they are. Results and settings stay as well, in:$\r$\n$\r$\n$APPDATA\Sheaf$\r$\n$\r$\nDelete this folder if you no longer need them."
  LangString dataStays ${LANG_GERMAN} "Ihre Dokumente und Tabellen bleiben, wo sie sind. Auch Ergebnisse und Einstellungen bleiben, in:$\r$\n$\r$\n$APPDATA\Sheaf$\r$\n$\r$\nLöschen Sie diesen Ordner, wenn Sie sie nicht mehr brauchen."
  LangString dataStays ${LANG_FRENCH} "Vos documents et feuilles de calcul restent où ils sont. Les résultats et réglages restent aussi, dans :$\r$\n$\r$\n$APPDATA\Sheaf$\r$\n$\r$\nSupprimez ce dossier si vous n’en avez plus besoin."
!macroend

# No question about everybody on this computer, which would need an administrator.
!macro customInstallMode
  StrCpy $isForceCurrentInstall "1"
!macroend

# A choice that was made stays; a silent installation makes it with /SENDTO.
!macro customInit
  StrCpy $wantsSendTo 0
  ${if} ${FileExists} "$SENDTO\${PRODUCT_NAME}.lnk"
    StrCpy $wantsSendTo 1
  ${endif}
  ${GetParameters} $R0
  ClearErrors
  ${GetOptions} $R0 "/SENDTO" $R1
  ${ifNot} ${Errors}
    StrCpy $wantsSendTo 1
  ${endif}
  ClearErrors
!macroend

!macro customPageAfterChangeDir
  Var wantsSendTo
  Var sendToBox

  Page custom sendToShow sendToLeave

  Function sendToShow
    ${if} ${isUpdated}
      Abort
    ${endif}
    !insertmacro MUI_HEADER_TEXT "$(sendToTitle)" "$(sendToText)"
    nsDialogs::Create 1018
    Pop $0
    ${NSD_CreateCheckbox} 0 0 100% 12u "$(sendToChoice)"
    Pop $sendToBox
    ${NSD_SetState} $sendToBox $wantsSendTo
    nsDialogs::Show
  FunctionEnd

  Function sendToLeave
    ${NSD_GetState} $sendToBox $wantsSendTo
  FunctionEnd
!macroend

# «Open with» shows what an application supports; as no type is made its own, it never becomes the default.
!macro customInstall
  !define OPEN_WITH "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}"
  WriteRegStr SHELL_CONTEXT "${OPEN_WITH}" "FriendlyAppName" "${PRODUCT_NAME}"
  WriteRegStr SHELL_CONTEXT "${OPEN_WITH}\shell\open\command" "" '"$appExe" "%1"'
  WriteRegStr SHELL_CONTEXT "${OPEN_WITH}\SupportedTypes" ".pdf" ""
  WriteRegStr SHELL_CONTEXT "${OPEN_WITH}\SupportedTypes" ".png" ""
  WriteRegStr SHELL_CONTEXT "${OPEN_WITH}\SupportedTypes" ".jpg" ""
  WriteRegStr SHELL_CONTEXT "${OPEN_WITH}\SupportedTypes" ".jpeg" ""
  WriteRegStr SHELL_CONTEXT "${OPEN_WITH}\SupportedTypes" ".docx" ""
  WriteRegStr SHELL_CONTEXT "${OPEN_WITH}\SupportedTypes" ".xlsx" ""
  ${if} $wantsSendTo == 1
    CreateShortCut "$SENDTO\${PRODUCT_NAME}.lnk" "$appExe"
  ${else}
    Delete "$SENDTO\${PRODUCT_NAME}.lnk"
  ${endif}
  # SHCNE_ASSOCCHANGED, SHCNF_FLUSH: the Explorer reads them anew.
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0x1000, p 0, p 0)'
!macroend

# An update uninstalls the version before it, which is nothing to speak about.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    Delete "$SENDTO\${PRODUCT_NAME}.lnk"
    DeleteRegKey SHELL_CONTEXT "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}"
    MessageBox MB_OK|MB_ICONINFORMATION "$(dataStays)" /SD IDOK
  ${endif}
!macroend
