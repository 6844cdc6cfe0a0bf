import type { ErrorCode, ErrorDetails } from '../domain/errors.ts'
import { fillIn } from './fill-in.ts'
import { callbackSentences } from './callback-sentences.ts'
import { folderSentences } from './folder-sentences.ts'
import { modelSentences } from './model-sentences.ts'
import { sendingSentences } from './sending-sentences.ts'
import { storageSentences } from './storage-sentences.ts'

export const locales = ['en', 'de', 'fr'] as const
export type Locale = (typeof locales)[number]

/** The language that a person chose; the system's when none was (the one that Node was started with). */
export function localeOf(language: Locale | 'system'): Locale {
  if (language !== 'system') return language
  const system = Intl.DateTimeFormat().resolvedOptions().locale
  return locales.find((locale) => system.startsWith(locale)) ?? 'en'
}

/**
 * What a person reads for each code: what happened, to which file, what to do.
 * `{name}` is replaced from the error's details.
 */
export const sentences: Record<ErrorCode, Record<Locale, string>> = {
  hidden_file: {
    en: 'Hidden and system files are not extracted.',
    de: 'Versteckte Dateien und Systemdateien werden nicht ausgelesen.',
    fr: 'Les fichiers cachés et les fichiers système ne sont pas extraits.',
  },
  lock_file: {
    en: 'This is a lock file that Office makes while a document is open. Nothing to do.',
    de: 'Das ist eine Sperrdatei, die Office anlegt, solange ein Dokument offen ist. Nichts zu tun.',
    fr: 'Fichier de verrouillage créé par Office pendant qu’un document est ouvert. Rien à faire.',
  },
  unfinished_download: {
    en: 'This download is not finished. Sheaf takes the file when it has its final name.',
    de: 'Dieser Download ist nicht fertig. Sheaf nimmt die Datei, sobald sie ihren endgültigen Namen hat.',
    fr: 'Ce téléchargement n’est pas terminé. Sheaf prendra le fichier sous son nom définitif.',
  },
  symbolic_link: {
    en: 'This is a link to another place. Put the file itself into the folder.',
    de: 'Das ist eine Verknüpfung an einen anderen Ort. Legen Sie die Datei selbst in den Ordner.',
    fr: 'C’est un lien vers un autre emplacement. Placez le fichier lui-même dans le dossier.',
  },
  not_a_file: {
    en: 'This is not a regular file.',
    de: 'Das ist keine gewöhnliche Datei.',
    fr: 'Ce n’est pas un fichier ordinaire.',
  },
  empty_file: {
    en: 'The file is empty. Save or copy it again.',
    de: 'Die Datei ist leer. Speichern oder kopieren Sie sie noch einmal.',
    fr: 'Le fichier est vide. Enregistrez-le ou copiez-le à nouveau.',
  },
  unsupported_type: {
    en: 'Files of type {extension} are not read. Save it as PDF, PNG, JPG, DOCX or XLSX.',
    de: 'Dateien vom Typ {extension} werden nicht gelesen. Speichern Sie sie als PDF, PNG, JPG, DOCX oder XLSX.',
    fr: 'Les fichiers de type {extension} ne sont pas lus. Enregistrez-le en PDF, PNG, JPG, DOCX ou XLSX.',
  },
  no_codec: {
    en: 'Pictures of type {extension} need a decoder that only their makers may hand out. Save it as JPG or PDF; an iPhone takes JPG with Settings, Camera, Formats, “Most Compatible”.',
    de: 'Bilder vom Typ {extension} brauchen einen Decoder, den nur ihre Hersteller weitergeben dürfen. Speichern Sie es als JPG oder PDF; ein iPhone nimmt JPG mit Einstellungen, Kamera, Formate, „Maximale Kompatibilität“.',
    fr: 'Les images de type {extension} demandent un décodeur que seuls leurs fabricants peuvent fournir. Enregistrez-la en JPG ou PDF ; un iPhone prend du JPG avec Réglages, Appareil photo, Formats, « Le plus compatible ».',
  },
  extension_mismatch: {
    en: 'The name ends in {extension}, but the content is {actual}. Give it the right ending, or save it again.',
    de: 'Der Name endet auf {extension}, der Inhalt ist aber {actual}. Geben Sie ihr die richtige Endung oder speichern Sie sie neu.',
    fr: 'Le nom se termine par {extension}, mais le contenu est {actual}. Corrigez l’extension ou enregistrez à nouveau.',
  },
  file_too_large: {
    en: 'The file has {size}; at most 36 MB are accepted. Split it, or save it smaller.',
    de: 'Die Datei hat {size}; höchstens 36 MB sind möglich. Teilen Sie sie oder speichern Sie sie kleiner.',
    fr: 'Le fichier fait {size} ; 36 Mo au plus sont acceptés. Divisez-le ou réduisez-le.',
  },
  duplicate: {
    en: 'Has the same content as “{original}” and shares its result. The same content is not sent twice.',
    de: 'Hat denselben Inhalt wie „{original}“ und teilt dessen Ergebnis. Derselbe Inhalt wird nicht zweimal gesendet.',
    fr: 'Contenu identique à « {original} », dont il partage le résultat. Le même contenu n’est pas envoyé deux fois.',
  },
  duplicate_unread: {
    en: 'Has the same content as “{original}”, which has no result. Retry that one, or this one.',
    de: 'Hat denselben Inhalt wie „{original}“, zu der es kein Ergebnis gibt. Versuchen Sie es mit jener oder mit dieser erneut.',
    fr: 'Contenu identique à « {original} », qui n’a pas de résultat. Réessayez avec celui-là ou avec celui-ci.',
  },
  duplicate_unknown: {
    en: 'Has the same content as “{original}”, and nobody knows whether that was billed already. Only that one can be sent again; its result then counts here too.',
    de: 'Hat denselben Inhalt wie „{original}“, von dem niemand weiß, ob es schon berechnet ist. Nur jenes lässt sich noch einmal senden; sein Ergebnis gilt dann auch hier.',
    fr: 'Contenu identique à « {original} », dont personne ne sait s’il a déjà été facturé. Seul celui-là peut être renvoyé ; son résultat vaudra aussi ici.',
  },
  no_e_invoice: {
    en: 'This XML is no electronic invoice (CII or UBL, as XRechnung and Peppol are). Other XML is not read.',
    de: 'Dieses XML ist keine elektronische Rechnung (CII oder UBL, wie XRechnung und Peppol). Anderes XML wird nicht gelesen.',
    fr: 'Ce XML n’est pas une facture électronique (CII ou UBL, comme Factur-X et Peppol). Aucun autre XML n’est lu.',
  },
  read_here_only: {
    en: 'An electronic invoice (XML) is read on this computer and sent to nobody. Choose “This computer” for it.',
    de: 'Eine E-Rechnung (XML) wird nur auf diesem Computer gelesen. Wählen Sie für sie „Dieser Computer“.',
    fr: 'Une facture électronique (XML) est lue sur cet ordinateur et n’est envoyée à personne. Choisissez « Cet ordinateur » pour elle.',
  },
  mail: {
    en: 'A mail is no document itself. Save what is attached to it.',
    de: 'Eine E-Mail ist selbst kein Dokument. Speichern Sie, was an ihr hängt.',
    fr: 'Un e-mail n’est pas lui-même un document. Enregistrez ses pièces jointes.',
  },
  mail_unpacked: {
    en: 'A mail. Those of its attachments that are read lie beside it as files of their own.',
    de: 'Eine E-Mail. Die Anhänge, die gelesen werden, liegen als eigene Dateien neben ihr.',
    fr: 'Un e-mail. Ses pièces jointes lisibles se trouvent à côté, dans leurs propres fichiers.',
  },
  mail_without_documents: {
    en: 'A mail without an attachment that can be read. Save what stands in the mail itself as PDF.',
    de: 'Eine E-Mail ohne einen Anhang, der gelesen werden kann. Speichern Sie, was in der E-Mail selbst steht, als PDF.',
    fr: 'Un e-mail sans pièce jointe lisible. Enregistrez le contenu de l’e-mail lui-même en PDF.',
  },
  mail_not_unpacked: {
    en: 'The attachments of this mail could not be saved beside it ({detail}). Save them in the folder yourself.',
    de: 'Die Anhänge dieser E-Mail konnten nicht neben ihr gespeichert werden ({detail}). Speichern Sie sie selbst im Ordner.',
    fr: 'Les pièces jointes de cet e-mail n’ont pas pu être enregistrées à côté ({detail}). Enregistrez-les vous-même dans le dossier.',
  },
  kind_unsure: {
    en: 'Sheaf is not sure which schema fits. Say it under Sort: nothing is sent before.',
    de: 'Sheaf ist nicht sicher, welches Schema passt. Sagen Sie es unter „Sortieren“: vorher wird nichts gesendet.',
    fr: 'Sheaf n’est pas sûr du schéma qui convient. Indiquez-le sous « Trier » : rien n’est envoyé avant.',
  },
  cut_proposed: {
    en: 'The file may hold several documents. Look at the proposal under Sort: nothing is sent before.',
    de: 'Die Datei enthält vielleicht mehrere Dokumente. Sehen Sie den Vorschlag unter „Sortieren“ an: vorher wird nichts gesendet.',
    fr: 'Le fichier contient peut-être plusieurs documents. Regardez la proposition sous « Trier » : rien n’est envoyé avant.',
  },
  cut: {
    en: 'The file holds {parts} documents, which stand beside it. The file itself stays whole.',
    de: 'Die Datei enthält {parts} Dokumente, die neben ihr stehen. Die Datei selbst bleibt ganz.',
    fr: 'Le fichier contient {parts} documents, qui figurent à côté. Le fichier lui-même reste entier.',
  },
  own_export: {
    en: 'Sheaf wrote this file itself, as an export. It is not read as a document.',
    de: 'Diese Datei hat Sheaf selbst geschrieben, als Export. Sie wird nicht als Dokument gelesen.',
    fr: 'Ce fichier a été écrit par Sheaf lui-même : c’est un export. Il n’est pas lu comme document.',
  },
  file_missing: {
    en: 'The file is no longer in its place. Put it back and retry.',
    de: 'Die Datei ist nicht mehr an ihrem Ort. Legen Sie sie zurück und versuchen Sie es erneut.',
    fr: 'Le fichier n’est plus à sa place. Remettez-le et réessayez.',
  },
  file_replaced: {
    en: 'After it was sent the file was replaced by another version, which is a document of its own. This version is not sent again.',
    de: 'Nach dem Senden wurde die Datei durch eine andere Fassung ersetzt; diese ist ein eigenes Dokument. Die frühere wird nicht noch einmal gesendet.',
    fr: 'Après l’envoi, le fichier a été remplacé par une autre version, qui est un document à part. Celle-ci n’est pas renvoyée.',
  },
  file_unreadable: {
    en: 'The file cannot be opened ({detail}). Close it in other programs, or ask for permission to read it. Sheaf tries again.',
    de: 'Die Datei lässt sich nicht öffnen ({detail}). Schließen Sie sie in anderen Programmen oder lassen Sie sich Leserechte geben. Sheaf versucht es wieder.',
    fr: 'Impossible d’ouvrir le fichier ({detail}). Fermez-le dans les autres programmes ou demandez le droit de lecture. Sheaf réessaie.',
  },
  file_changed: {
    en: 'The file changed while it was read. Sheaf waits until it is finished.',
    de: 'Die Datei hat sich beim Lesen geändert. Sheaf wartet, bis sie fertig ist.',
    fr: 'Le fichier a changé pendant la lecture. Sheaf attend qu’il soit terminé.',
  },
  folder_offline: {
    en: 'The folder of this file cannot be reached. The file waits until it is back.',
    de: 'Der Ordner dieser Datei ist nicht erreichbar. Die Datei wartet, bis er wieder da ist.',
    fr: 'Le dossier de ce fichier est injoignable. Le fichier attend son retour.',
  },
  service_interrupted: {
    en: 'Reading on this computer was interrupted. The file is read again by itself; nothing is billed.',
    de: 'Das Lesen auf diesem Computer wurde unterbrochen. Die Datei wird von selbst noch einmal gelesen; es wird nichts berechnet.',
    fr: 'La lecture sur cet ordinateur a été interrompue. Le fichier sera relu de lui-même ; rien n’est facturé.',
  },
  service_gave_up: {
    en: 'The service on this computer broke down {tries} times with this file. Save it anew, or print it to a new PDF, and retry.',
    de: 'Der Dienst auf diesem Computer ist {tries}-mal an dieser Datei gescheitert. Speichern Sie sie neu oder drucken Sie sie in ein neues PDF und versuchen Sie es erneut.',
    fr: 'Le service de cet ordinateur a échoué {tries} fois avec ce fichier. Enregistrez-le à nouveau ou imprimez-le dans un nouveau PDF, puis réessayez.',
  },
  connection_refused: {
    en: 'Nothing answers at {host}. Files wait and are sent when the service is back.',
    de: 'Unter {host} antwortet niemand. Dateien warten und werden gesendet, sobald der Dienst wieder da ist.',
    fr: 'Aucune réponse de {host}. Les fichiers attendent et seront envoyés au retour du service.',
  },
  host_not_found: {
    en: 'The address {host} was not found. Check the network and the address of the connection. Files wait.',
    de: 'Die Adresse {host} wurde nicht gefunden. Prüfen Sie das Netz und die Adresse der Verbindung. Dateien warten.',
    fr: 'L’adresse {host} est introuvable. Vérifiez le réseau et l’adresse de la connexion. Les fichiers attendent.',
  },
  proxy_refused: {
    en: 'The proxy {proxy} let nothing through to {host} ({detail}). Nothing was sent. Files wait and are sent when it does; ask your administrator.',
    de: 'Der Proxy {proxy} hat nichts zu {host} durchgelassen ({detail}). Es wurde nichts gesendet. Dateien warten und werden gesendet, sobald er es tut; fragen Sie Ihre Administration.',
    fr: 'Le proxy {proxy} n’a rien laissé passer vers {host} ({detail}). Rien n’a été envoyé. Les fichiers attendent et seront envoyés dès que possible ; contactez votre administrateur.',
  },
  certificate_invalid: {
    en: 'The certificate of {host} is not valid ({detail}). Nothing was sent. Ask your administrator.',
    de: 'Das Zertifikat von {host} ist nicht gültig ({detail}). Es wurde nichts gesendet. Fragen Sie Ihre Administration.',
    fr: 'Le certificat de {host} n’est pas valide ({detail}). Rien n’a été envoyé. Contactez votre administrateur.',
  },
  rate_limited: {
    en: 'The service asks to slow down. The file waits and goes on by itself.',
    de: 'Der Dienst bittet um eine langsamere Gangart. Die Datei wartet und geht von selbst weiter.',
    fr: 'Le service demande de ralentir. Le fichier attend et repartira de lui-même.',
  },
  service_unavailable: {
    en: 'The service is not available at the moment. The file waits and goes on by itself.',
    de: 'Der Dienst ist im Augenblick nicht verfügbar. Die Datei wartet und geht von selbst weiter.',
    fr: 'Le service est indisponible pour le moment. Le fichier attend et repartira de lui-même.',
  },
  credentials_refused: {
    en: '{host} does not accept the client id and secret. Correct them in the connection; the files wait.',
    de: '{host} nimmt Client-ID und Secret nicht an. Berichtigen Sie sie in der Verbindung; die Dateien warten.',
    fr: '{host} refuse l’identifiant et le secret du client. Corrigez-les dans la connexion ; les fichiers attendent.',
  },
  secret_missing: {
    en: 'Sheaf does not have the secret of the connection: this computer did not keep it. Enter the secret again in the connection; the files wait.',
    de: 'Sheaf hat das Secret der Verbindung nicht: Dieser Computer hat es nicht aufbewahrt. Geben Sie es in der Verbindung erneut ein; die Dateien warten.',
    fr: 'Sheaf n’a pas le secret de la connexion : cet ordinateur ne l’a pas conservé. Saisissez-le à nouveau dans la connexion ; les fichiers attendent.',
  },
  secret_unavailable: {
    en: 'The stored secret of the connection cannot be read: it is damaged, or the keychain of this computer has changed. Enter the secret again in the connection; the files wait.',
    de: 'Das gespeicherte Secret der Verbindung ist nicht lesbar: Es ist beschädigt, oder der Schlüsselbund dieses Computers hat sich geändert. Geben Sie es in der Verbindung erneut ein; die Dateien warten.',
    fr: 'Le secret enregistré de la connexion est illisible : il est endommagé, ou le trousseau de cet ordinateur a changé. Saisissez-le à nouveau dans la connexion ; les fichiers attendent.',
  },
  keychain_unavailable: {
    en: 'The secret of the connection is in the keychain of this computer, which is locked, missing, or open to the desktop app only. Unlock it and continue, or enter the secret again in the connection; the files wait.',
    de: 'Das Secret der Verbindung liegt im Schlüsselbund dieses Computers, der gesperrt ist, fehlt oder nur der Desktop-App offensteht. Entsperren Sie ihn und setzen Sie fort, oder geben Sie das Secret in der Verbindung erneut ein; die Dateien warten.',
    fr: 'Le secret de la connexion est dans le trousseau de cet ordinateur, verrouillé, absent ou ouvert à la seule application de bureau. Déverrouillez-le et continuez, ou saisissez à nouveau le secret dans la connexion ; les fichiers attendent.',
  },
  not_a_platform: {
    en: '{host} does not answer like a platform (status {status}). Check the address of the connection; the files wait.',
    de: '{host} antwortet nicht wie eine Plattform (Status {status}). Prüfen Sie die Adresse der Verbindung; die Dateien warten.',
    fr: '{host} ne répond pas comme une plateforme (statut {status}). Vérifiez l’adresse de la connexion ; les fichiers attendent.',
  },
  access_denied: {
    en: '{host} does not allow this account to extract. Ask the administrator of the account; the files wait.',
    de: '{host} erlaubt diesem Konto das Auslesen nicht. Fragen Sie die Administration des Kontos; die Dateien warten.',
    fr: '{host} n’autorise pas ce compte à extraire. Contactez l’administrateur du compte ; les fichiers attendent.',
  },
  quota_reached: {
    en: 'The quota or spending limit of the account is reached. The files wait until it is raised or the next period begins.',
    de: 'Das Kontingent oder Ausgabenlimit des Kontos ist erreicht. Die Dateien warten, bis es erhöht wird oder der nächste Zeitraum beginnt.',
    fr: 'Le quota ou le plafond de dépense du compte est atteint. Les fichiers attendent qu’il soit relevé ou la prochaine période.',
  },
  agent_not_found: {
    en: 'The service does not know the agent “{agent}”. Correct the reference in the folder and resume it; its files wait.',
    de: 'Der Dienst kennt den Agenten „{agent}“ nicht. Berichtigen Sie die Referenz im Ordner und setzen Sie ihn fort; seine Dateien warten.',
    fr: 'Le service ne connaît pas l’agent « {agent} ». Corrigez la référence dans le dossier et relancez-le ; ses fichiers attendent.',
  },
  connection_lost: {
    en: 'The connection broke after the file was sent. It may already be billed, so Sheaf does not send it again by itself.',
    de: 'Die Verbindung brach ab, nachdem die Datei gesendet war. Sie kann schon berechnet sein, darum sendet Sheaf sie nicht von selbst noch einmal.',
    fr: 'La connexion s’est rompue après l’envoi. Le fichier est peut-être déjà facturé : Sheaf ne le renvoie pas de lui-même.',
  },
  answer_timeout: {
    en: 'No answer came in time. The file may already be billed, so Sheaf does not send it again by itself.',
    de: 'Es kam rechtzeitig keine Antwort. Die Datei kann schon berechnet sein, darum sendet Sheaf sie nicht von selbst noch einmal.',
    fr: 'Aucune réponse dans le délai. Le fichier est peut-être déjà facturé : Sheaf ne le renvoie pas de lui-même.',
  },
  service_failed: {
    en: 'The service broke down while it had the file (status {status}). It may already be billed, so Sheaf does not send it again by itself.',
    de: 'Der Dienst fiel aus, während er die Datei hatte (Status {status}). Sie kann schon berechnet sein, darum sendet Sheaf sie nicht von selbst noch einmal.',
    fr: 'Le service est tombé en panne pendant le traitement (statut {status}). Le fichier est peut-être déjà facturé : Sheaf ne le renvoie pas de lui-même.',
  },
  interrupted: {
    en: 'Sheaf was stopped while the file was being sent. It may already be billed, so Sheaf does not send it again by itself.',
    de: 'Sheaf wurde beendet, während die Datei gesendet wurde. Sie kann schon berechnet sein, darum sendet Sheaf sie nicht von selbst noch einmal.',
    fr: 'Sheaf s’est arrêté pendant l’envoi du fichier. Il est peut-être déjà facturé : Sheaf ne le renvoie pas de lui-même.',
  },
  service_rejected: {
    en: 'The service refused the file: {detail}',
    de: 'Der Dienst hat die Datei abgelehnt: {detail}',
    fr: 'Le service a refusé le fichier : {detail}',
  },
  extraction_failed: {
    en: 'The service could not extract the file: {detail}',
    de: 'Der Dienst konnte die Datei nicht auslesen: {detail}',
    fr: 'Le service n’a pas pu extraire le fichier : {detail}',
  },
  answer_unreadable: {
    en: 'The answer of the service cannot be read ({detail}). It is kept.',
    de: 'Die Antwort des Dienstes ist nicht lesbar ({detail}). Sie ist aufbewahrt.',
    fr: 'La réponse du service est illisible ({detail}). Elle est conservée.',
  },
  file_encrypted: {
    en: 'The file is protected with a password. Save a copy without the password and drop that.',
    de: 'Die Datei ist mit einem Passwort geschützt. Speichern Sie eine Kopie ohne Passwort und legen Sie diese ab.',
    fr: 'Le fichier est protégé par un mot de passe. Enregistrez une copie sans mot de passe et déposez-la.',
  },
  file_damaged: {
    en: 'The file is damaged or incomplete. Open it in its program and save it again, or copy it again.',
    de: 'Die Datei ist beschädigt oder unvollständig. Öffnen Sie sie in ihrem Programm und speichern Sie sie neu, oder kopieren Sie sie noch einmal.',
    fr: 'Le fichier est endommagé ou incomplet. Ouvrez-le dans son programme et enregistrez-le, ou copiez-le à nouveau.',
  },
  file_too_complex: {
    en: 'The file is too complex to be read safely ({detail}). Split it, or print it to a new PDF.',
    de: 'Die Datei ist zu umfangreich, um sicher gelesen zu werden ({detail}). Teilen Sie sie oder drucken Sie sie in ein neues PDF.',
    fr: 'Le fichier est trop complexe pour être lu sans risque ({detail}). Divisez-le ou imprimez-le dans un nouveau PDF.',
  },
  no_text: {
    en: 'No text was found in the file. Scan it again, straight and with more contrast.',
    de: 'In der Datei wurde kein Text gefunden. Scannen Sie sie noch einmal, gerade und mit mehr Kontrast.',
    fr: 'Aucun texte trouvé dans le fichier. Numérisez-le à nouveau, droit et avec plus de contraste.',
  },
  schema_invalid: {
    en: 'The schema is not valid: {problem}.',
    de: 'Das Schema ist nicht gültig: {problem}.',
    fr: 'Le schéma n’est pas valide : {problem}.',
  },
  schema_file_unreadable: {
    en: 'The schema file {file} cannot be used: {problem}.',
    de: 'Die Schemadatei {file} ist nicht verwendbar: {problem}.',
    fr: 'Le fichier de schéma {file} est inutilisable : {problem}.',
  },
  folder_missing: {
    en: 'The folder {path} does not exist or cannot be opened. Check the path.',
    de: 'Der Ordner {path} existiert nicht oder lässt sich nicht öffnen. Prüfen Sie den Pfad.',
    fr: 'Le dossier {path} n’existe pas ou ne peut pas être ouvert. Vérifiez le chemin.',
  },
  folder_duplicate: {
    en: 'The folder {path} is already watched.',
    de: 'Der Ordner {path} wird bereits überwacht.',
    fr: 'Le dossier {path} est déjà surveillé.',
  },
  folder_holds: {
    en: 'The folder {folder}, which is watched already, lies inside {path}. Watch {path} without its subfolders, or remove {folder} first.',
    de: 'In {path} liegt der Ordner {folder}, der schon überwacht wird. Überwachen Sie {path} ohne Unterordner, oder entfernen Sie zuerst {folder}.',
    fr: 'Le dossier {folder}, déjà surveillé, se trouve dans {path}. Surveillez {path} sans ses sous-dossiers, ou retirez d’abord {folder}.',
  },
  folder_inside: {
    en: 'The folder {path} lies inside {folder}, which is watched with its subfolders: its documents belong there.',
    de: 'Der Ordner {path} liegt in {folder}, der mit seinen Unterordnern überwacht wird: Seine Dokumente gehören dorthin.',
    fr: 'Le dossier {path} se trouve dans {folder}, surveillé avec ses sous-dossiers : ses documents y appartiennent.',
  },
  folder_own: {
    en: 'The folder {path} belongs to Sheaf’s own data. Choose another one.',
    de: 'Der Ordner {path} gehört zu den Daten von Sheaf selbst. Wählen Sie einen anderen.',
    fr: 'Le dossier {path} fait partie des données de Sheaf. Choisissez-en un autre.',
  },
  folder_removed: {
    en: 'Its folder is no longer watched, so the file was not sent. Watch the folder again, or retry.',
    de: 'Ihr Ordner wird nicht mehr überwacht, darum wurde die Datei nicht gesendet. Überwachen Sie ihn wieder oder versuchen Sie es erneut.',
    fr: 'Son dossier n’est plus surveillé : le fichier n’a pas été envoyé. Surveillez-le de nouveau ou réessayez.',
  },
  ...folderSentences,
  path_missing: {
    en: '{path} does not exist. Check the path.',
    de: '{path} existiert nicht. Prüfen Sie den Pfad.',
    fr: '{path} n’existe pas. Vérifiez le chemin.',
  },
  under_way: {
    en: '{file} is with the service at the moment. Wait until it is done.',
    de: '{file} ist gerade beim Dienst. Warten Sie, bis es fertig ist.',
    fr: '{file} est actuellement auprès du service. Attendez qu’il soit terminé.',
  },
  not_found: {
    en: 'Not found: {what}.',
    de: 'Nicht gefunden: {what}.',
    fr: 'Introuvable : {what}.',
  },
  invalid_input: {
    en: 'This cannot be accepted: {problem}.',
    de: 'Das ist so nicht möglich: {problem}.',
    fr: 'Impossible ainsi : {problem}.',
  },
  schema_in_use: {
    en: 'A folder still uses this schema. Give the folder another one first.',
    de: 'Ein Ordner verwendet dieses Schema noch. Geben Sie dem Ordner erst ein anderes.',
    fr: 'Un dossier utilise encore ce schéma. Donnez-lui d’abord un autre schéma.',
  },
  connection_in_use: {
    en: 'A folder still uses this connection. Give the folder another one first.',
    de: 'Ein Ordner verwendet diese Verbindung noch. Geben Sie dem Ordner erst eine andere.',
    fr: 'Un dossier utilise encore cette connexion. Donnez-lui d’abord une autre connexion.',
  },
  export_failed: {
    en: '{file} could not be written ({detail}). Choose another place and export again.',
    de: '{file} konnte nicht geschrieben werden ({detail}). Wählen Sie einen anderen Ort und exportieren Sie erneut.',
    fr: '{file} n’a pas pu être écrit ({detail}). Choisissez un autre emplacement et exportez à nouveau.',
  },
  export_disk_full: {
    en: 'The disk is full; {file} was not written. Free some space and export again. Your results are safe.',
    de: 'Der Datenträger ist voll; {file} wurde nicht geschrieben. Schaffen Sie Platz und exportieren Sie erneut. Ihre Ergebnisse sind sicher.',
    fr: 'Le disque est plein ; {file} n’a pas été écrit. Libérez de l’espace et exportez à nouveau. Vos résultats sont en sécurité.',
  },
  export_file_open: {
    en: '{file} is open in another program. Close it there and export again, or choose another name.',
    de: '{file} ist in einem anderen Programm geöffnet. Schließen Sie die Datei dort und exportieren Sie erneut, oder wählen Sie einen anderen Namen.',
    fr: '{file} est ouvert dans un autre programme. Fermez-le puis exportez à nouveau, ou choisissez un autre nom.',
  },
  export_empty: {
    en: 'There is nothing to export yet: no document with a result matches.',
    de: 'Es gibt noch nichts zu exportieren: Kein Dokument mit Ergebnis passt zur Auswahl.',
    fr: 'Rien à exporter pour l’instant : aucun document avec résultat ne correspond.',
  },
  booking_without_type: {
    en: 'A booking needs to know whether a document is an invoice or a credit note, and this schema has no field for it. Add a field of the type “document type”, or choose another schema.',
    de: 'Eine Buchung muss wissen, ob ein Dokument Rechnung oder Gutschrift ist; dieses Schema hat dafür kein Feld. Ergänzen Sie ein Feld des Typs „Belegart“, oder wählen Sie ein anderes Schema.',
    fr: 'Une écriture doit savoir si un document est une facture ou un avoir, et ce schéma n’a pas de champ pour cela. Ajoutez un champ de type « type de document », ou choisissez un autre schéma.',
  },
  booking_without_date: {
    en: 'A booking needs the day of the document, and this schema has no field for it. Add a field of the type “date”, such as “Invoice date”, or choose another schema.',
    de: 'Eine Buchung braucht den Tag des Dokuments; dieses Schema hat dafür kein Feld. Ergänzen Sie ein Feld des Typs „Datum“, etwa „Rechnungsdatum“, oder wählen Sie ein anderes Schema.',
    fr: 'Une écriture demande le jour du document, et ce schéma n’a pas de champ pour cela. Ajoutez un champ de type « date », comme « Date de facture », ou choisissez un autre schéma.',
  },
  booking_without_total: {
    en: 'A booking needs the total of the document, and this schema has no field for it. Add a number, such as “Total amount”, or choose another schema.',
    de: 'Eine Buchung braucht den Gesamtbetrag des Dokuments; dieses Schema hat dafür kein Feld. Ergänzen Sie eine Zahl, etwa „Gesamtbetrag“, oder wählen Sie ein anderes Schema.',
    fr: 'Une écriture demande le total du document, et ce schéma n’a pas de champ pour cela. Ajoutez un nombre, comme « Montant total », ou choisissez un autre schéma.',
  },
  nothing_bookable: {
    en: 'None of these documents can be booked. The preview says why.',
    de: 'Keines dieser Dokumente kann gebucht werden. Die Vorschau sagt, warum.',
    fr: 'Aucun de ces documents ne peut être comptabilisé. L’aperçu dit pourquoi.',
  },
  all_booked: {
    en: 'Nothing is left to book: earlier exports have the bills of these documents. Under “New export” they can be included again.',
    de: 'Es bleibt nichts zu buchen: Frühere Exporte haben die Rechnungen dieser Dokumente. Unter „Neuer Export“ lassen sie sich wieder aufnehmen.',
    fr: 'Il ne reste rien à comptabiliser : des exports antérieurs ont les factures de ces documents. Sous « Nouvel export », on peut les inclure de nouveau.',
  },
  storage_full: {
    en: 'The disk with the data folder is full, or almost. Nothing more is sent until there is space.',
    de: 'Der Datenträger mit dem Datenordner ist voll oder fast voll. Es wird nichts mehr gesendet, bis Platz ist.',
    fr: 'Le disque du dossier de données est plein, ou presque. Plus rien n’est envoyé avant qu’il y ait de la place.',
  },
  already_running: {
    en: 'Sheaf is already running with the data folder {path}. Stop it there, or set SHEAF_DATA_DIR to another folder.',
    de: 'Sheaf läuft bereits mit dem Datenordner {path}. Beenden Sie es dort, oder setzen Sie SHEAF_DATA_DIR auf einen anderen Ordner.',
    fr: 'Sheaf fonctionne déjà avec le dossier de données {path}. Arrêtez-le, ou indiquez un autre dossier dans SHEAF_DATA_DIR.',
  },
  policies_unreadable: {
    en: 'What your administrator has set for Sheaf in {where} cannot be read, so Sheaf does not start: {detail}. Correct it there or remove it; “sheaf policies” checks it.',
    de: 'Was Ihre Administration unter {where} für Sheaf festgelegt hat, ist nicht lesbar, darum startet Sheaf nicht: {detail}. Berichtigen oder entfernen Sie es dort; „sheaf policies“ prüft es.',
    fr: 'Ce que votre administrateur a défini pour Sheaf dans {where} est illisible, Sheaf ne démarre donc pas : {detail}. Corrigez-le ou supprimez-le à cet endroit ; « sheaf policies » le vérifie.',
  },
  service_not_started: {
    en: 'The service on this computer did not start ({detail}). Start Sheaf again.',
    de: 'Der Dienst auf diesem Computer ist nicht gestartet ({detail}). Starten Sie Sheaf noch einmal.',
    fr: 'Le service de cet ordinateur n’a pas démarré ({detail}). Relancez Sheaf.',
  },
  usage: {
    en: '{problem}',
    de: '{problem}',
    fr: '{problem}',
  },
  spending_limit_reached: {
    en: 'The spending limit of the account is reached. It ends with the next month, or when the account’s administrator raises it.',
    de: 'Das Ausgabenlimit des Kontos ist erreicht. Es endet mit dem nächsten Monat, oder wenn die Administration des Kontos es erhöht.',
    fr: 'Le plafond de dépense du compte est atteint. Il prend fin le mois prochain, ou quand l’administrateur du compte le relève.',
  },
  agent_wrong_kind: {
    en: 'The agent “{agent}” is of another kind ({kind}) and cannot do this. Use the reference of an agent of the right kind.',
    de: 'Der Agent „{agent}“ ist von anderer Art ({kind}) und kann das nicht. Verwenden Sie die Referenz eines passenden Agenten.',
    fr: 'L’agent « {agent} » est d’un autre type ({kind}) et ne sait pas le faire. Utilisez la référence d’un agent adapté.',
  },
  agent_coming_soon: {
    en: 'Writer agents are coming soon; they have no interface yet. Use an Extractor or a Documentalist.',
    de: 'Writer-Agenten kommen bald; noch haben sie keine Schnittstelle. Verwenden Sie einen Extractor oder einen Documentalist.',
    fr: 'Les agents Writer arrivent bientôt ; ils n’ont pas encore d’interface. Utilisez un Extractor ou un Documentalist.',
  },
  address_invalid: {
    en: '“{address}” is not an address of a service. Type one such as https://api.example.com.',
    de: '„{address}“ ist keine Adresse eines Dienstes. Geben Sie eine ein wie https://api.example.com.',
    fr: '« {address} » n’est pas l’adresse d’un service. Saisissez-en une comme https://api.example.com.',
  },
  daily_cap_reached: {
    en: 'Today’s cap is reached. The document waits until midnight, or until you raise the cap under Usage.',
    de: 'Die Tagesgrenze ist erreicht. Das Dokument wartet bis Mitternacht, oder bis Sie die Grenze unter Verbrauch erhöhen.',
    fr: 'Le plafond du jour est atteint. Le document attend minuit, ou que vous releviez le plafond dans Consommation.',
  },
  daily_cap_too_small: {
    en: 'One document of “{name}” took up to {tokens} tokens, which is more than the daily cap. Raise the cap under Usage.',
    de: 'Ein Dokument von „{name}“ brauchte bis zu {tokens} Token, mehr als die Tagesgrenze. Erhöhen Sie die Grenze unter Verbrauch.',
    fr: 'Un document de « {name} » a pris jusqu’à {tokens} jetons, plus que le plafond du jour. Relevez-le dans Consommation.',
  },
  daily_cap_under_way: {
    en: 'What is under way may use up the rest of today’s cap. Try again when it is done.',
    de: 'Was unterwegs ist, braucht vielleicht den Rest der Tagesgrenze auf. Versuchen Sie es wieder, wenn es fertig ist.',
    fr: 'Ce qui est en cours peut épuiser le plafond du jour. Réessayez quand ce sera terminé.',
  },
  sending_paused: {
    en: 'Sending is paused. Resume it, and try again.',
    de: 'Das Senden ist angehalten. Setzen Sie es fort, und versuchen Sie es noch einmal.',
    fr: 'L’envoi est suspendu. Reprenez-le, puis réessayez.',
  },
  tokens_not_named: {
    en: '“{name}” does not say how many tokens a document takes, so the daily cap of tokens cannot be kept. Set a cap of documents under Usage instead.',
    de: '„{name}“ sagt nicht, wie viele Token ein Dokument braucht; die Tagesgrenze für Token lässt sich so nicht einhalten. Begrenzen Sie unter Verbrauch stattdessen die Dokumente.',
    fr: '« {name} » ne dit pas combien de jetons prend un document ; le plafond de jetons ne peut pas être tenu. Plafonnez plutôt les documents dans Consommation.',
  },
  partners_unreadable: {
    en: 'No column of the table has the names of partners. Its first row should say what the columns hold: name, VAT number, IBAN, number, account.',
    de: 'Keine Spalte der Tabelle hat die Namen von Partnern. In der ersten Zeile sollte stehen, was die Spalten enthalten: Name, USt-IdNr., IBAN, Nummer, Konto.',
    fr: 'Aucune colonne du tableau ne contient les noms des partenaires. Sa première ligne doit dire ce que contiennent les colonnes : nom, numéro de TVA, IBAN, numéro, compte.',
  },
  partner_wrong: {
    en: '“{detail}” is no IBAN: its check digits or its length are wrong.',
    de: '„{detail}“ ist keine IBAN: Prüfziffern oder Länge stimmen nicht.',
    fr: '« {detail} » n’est pas un IBAN : sa clé de contrôle ou sa longueur est fausse.',
  },
  transfer_unreadable: {
    en: 'Sheaf has not written this to be taken along, or it was changed since. Export it anew on the other computer.',
    de: 'Das hat Sheaf nicht zum Mitnehmen geschrieben, oder es wurde seitdem geändert. Exportieren Sie es auf dem anderen Computer noch einmal.',
    fr: 'Sheaf n’a pas écrit cela pour être emporté, ou cela a été modifié depuis. Exportez-le à nouveau sur l’autre ordinateur.',
  },
  draft_impossible: {
    en: 'No fields were found in “{file}”. Choose a document with labels and values, or a spreadsheet with a header row.',
    de: 'In „{file}“ wurden keine Felder gefunden. Wählen Sie ein Dokument mit Bezeichnungen und Werten oder eine Tabelle mit Kopfzeile.',
    fr: 'Aucun champ trouvé dans « {file} ». Choisissez un document avec des libellés et des valeurs, ou un tableau avec une ligne d’en-tête.',
  },
  ...modelSentences,
  ...callbackSentences,
  ...sendingSentences,
  ...storageSentences,
  internal: {
    en: 'Something went wrong inside Sheaf ({detail}). Nothing was lost; try again.',
    de: 'In Sheaf ist etwas schiefgegangen ({detail}). Es ging nichts verloren; versuchen Sie es erneut.',
    fr: 'Une erreur est survenue dans Sheaf ({detail}). Rien n’est perdu ; réessayez.',
  },
}

/** The sentence for an error in one language, with its placeholders filled from `details`. */
export function sentenceFor(code: ErrorCode, details: ErrorDetails, locale: Locale): string {
  return fillIn(sentences[code][locale], details)
}
