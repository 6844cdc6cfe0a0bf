import { PDFDocument, PDFHexString, PDFName, StandardFonts } from 'pdf-lib'
import type { PDFFont, PDFForm, PDFPage } from 'pdf-lib'
import type { ExtractedRecord } from '../../shared/domain/result.ts'
import type { SchemaElement } from '../../shared/domain/schema.ts'
import { schemaOf } from './extraction/schema-of.ts'

type Entry =
  | { text: string; value: string; tooltip?: string }
  | { choice: string; options: string[]; value: string }
  /** A box with its text. */
  | { box: string; ticked: boolean }
  /** A question with one box for each answer; `separate` boxes are no group for the file. */
  | { question: string; answers: string[]; ticked: string[]; separate?: boolean }

type Layout = {
  /** Where the label of a text stands. */
  label: 'left' | 'above' | 'none'
  /** On which side of its text a box stands. */
  boxes: 'before' | 'behind'
  /** Under each other, two beside each other, or all answers under their question. */
  columns?: 2
  answersBelow?: true
}

export type FilledForm = {
  name: string
  layout: Layout
  title: string
  entries: Entry[]
  /** What has a layout of its own. */
  draw?: (pen: Pen) => void
  schema: SchemaElement[]
  expected: ExtractedRecord
}

/** Forms as offices give them out, filled in on the screen: field names say nothing, what is printed beside does. */
export const filledForms: readonly FilledForm[] = [
  {
    name: 'German, a table of answers under two headings',
    title: 'Gesundheitsfragen',
    layout: { label: 'left', boxes: 'before' },
    entries: [{ text: 'Name, Vorname', value: 'Keller, Ute' }],
    draw: (pen) => {
      write(pen, 'Nein', 398, 700)
      write(pen, 'Ja', 455, 700)
      const rows: [string, boolean][] = [
        ['Nehmen Sie regelmäßig Medikamente ein?', true],
        ['Rauchen Sie?', false],
        ['Hatten Sie in den letzten fünf Jahren eine Operation?', false],
        ['Besteht eine Allergie?', true],
      ]
      rows.forEach(([question, answer], row) => {
        const y = 680 - row * 22
        write(pen, question, 50, y)
        tick(pen, 400, y, !answer)
        tick(pen, 454, y, answer)
      })
    },
    schema: schemaOf(
      'medikamente: boolean | Nimmt regelmäßig Medikamente ein',
      'raucher: boolean | Raucht die Person?',
      'operation: boolean | Operation in den letzten fünf Jahren',
      'allergie: boolean | Besteht eine Allergie?',
    ),
    expected: { medikamente: true, raucher: false, operation: false, allergie: true },
  },
  {
    name: 'English, two questions in a row and a grid of options',
    title: 'Insurance proposal',
    layout: { label: 'left', boxes: 'before' },
    entries: [{ text: 'Proposer', value: 'M. Osei Ltd' }],
    draw: (pen) => {
      write(pen, 'Smoker', 50, 690)
      answer(pen, 'yes', 110, 690, false)
      answer(pen, 'no', 160, 690, true)
      write(pen, 'Own car', 300, 690)
      answer(pen, 'yes', 360, 690, true)
      answer(pen, 'no', 410, 690, false)
      write(pen, 'Covers wanted', 50, 650)
      const covers: [string, boolean][] = [
        ['Fire', true],
        ['Theft', false],
        ['Storm', true],
        ['Flood', false],
        ['Glass', true],
        ['Legal costs', false],
      ]
      covers.forEach(([cover, on], at) => answer(pen, cover, 150 + (at % 3) * 110, 650 - Math.floor(at / 3) * 20, on))
      write(pen, 'Payment', 50, 590)
      answer(pen, 'monthly', 150, 590, false)
      answer(pen, 'yearly', 260, 590, true)
    },
    schema: schemaOf(
      'proposer',
      'smoker: boolean',
      'own_car: boolean | Whether the proposer has an own car',
      'covers_wanted',
      'fire: boolean | Cover against fire',
      'flood: boolean | Cover against flood',
      'payment | How often it is paid',
    ),
    expected: {
      proposer: 'M. Osei Ltd',
      smoker: false,
      own_car: true,
      covers_wanted: 'Fire, Storm, Glass',
      fire: true,
      flood: false,
      payment: 'yearly',
    },
  },
  {
    name: 'German, long sentences and boxes far at the right',
    title: 'Einwilligungen',
    layout: { label: 'left', boxes: 'before' },
    entries: [{ text: 'Kundennummer', value: '4471-0' }],
    draw: (pen) => {
      const sentences: [string[], boolean][] = [
        [['Ich willige ein, dass meine Angaben zur Bearbeitung', 'meiner Anfrage gespeichert werden.'], true],
        [['Ich bin damit einverstanden, telefonisch', 'zu Angeboten beraten zu werden.'], false],
        [['Ich wünsche die Zusendung des Katalogs', 'auf Papier.'], true],
      ]
      sentences.forEach(([lines, on], at) => {
        tick(pen, 50, 690 - at * 40, on)
        lines.forEach((line, row) => write(pen, line, 70, 690 - at * 40 - row * 13))
      })
      const far: [string, boolean][] = [
        ['Personalausweis liegt vor', true],
        ['Vollmacht liegt vor', false],
        ['Handelsregisterauszug liegt vor', true],
      ]
      far.forEach(([text, on], at) => {
        const width = write(pen, text, 50, 540 - at * 22)
        write(pen, '.'.repeat(Math.floor((430 - width) / 2.8)), 60 + width, 540 - at * 22)
        tick(pen, 510, 540 - at * 22, on)
      })
    },
    schema: schemaOf(
      'Kundennummer',
      'Speicherung: boolean | Ob die Angaben gespeichert werden dürfen',
      'Telefonische_Beratung: boolean | Einverstanden mit telefonischer Beratung',
      'Katalog: boolean | Zusendung des Katalogs auf Papier gewünscht',
      'Personalausweis: boolean | Liegt der Personalausweis vor?',
      'Vollmacht: boolean | Liegt eine Vollmacht vor?',
      'Handelsregisterauszug: boolean | Liegt ein Handelsregisterauszug vor?',
    ),
    expected: {
      Kundennummer: '4471-0',
      Speicherung: true,
      Telefonische_Beratung: false,
      Katalog: true,
      Personalausweis: true,
      Vollmacht: false,
      Handelsregisterauszug: true,
    },
  },
  {
    name: 'French, captions below and boxes under their headings',
    title: 'Bon d’intervention',
    layout: { label: 'left', boxes: 'before' },
    entries: [],
    draw: (pen) => {
      const texts: [string, string, number][] = [
        ['Client', 'Menuiserie Lefèvre', 50],
        ['Technicien', 'A. Moreau', 240],
        ['Durée (heures)', '3,5', 430],
      ]
      for (const [caption, value, x] of texts) {
        const field = pen.form.createTextField(`Champ${pen.next++}`)
        field.setText(value)
        field.addToPage(pen.page, { x, y: 700, width: 150, height: 18 })
        write(pen, caption, x, 688)
      }
      const heads: [string, boolean][] = [
        ['Réparé', true],
        ['Remplacé', false],
        ['Nettoyé', true],
      ]
      heads.forEach(([head, on], at) => {
        write(pen, head, 60 + at * 130, 640)
        tick(pen, 70 + at * 130, 620, on)
      })
    },
    schema: schemaOf(
      'client',
      'technicien',
      'durée: number | Durée en heures',
      'réparé: boolean',
      'remplacé: boolean',
      'nettoyé: boolean',
    ),
    expected: {
      client: 'Menuiserie Lefèvre',
      technicien: 'A. Moreau',
      durée: 3.5,
      réparé: true,
      remplacé: false,
      nettoyé: true,
    },
  },
  {
    name: 'English, labels at the left',
    title: 'Application for a parking permit',
    layout: { label: 'left', boxes: 'before' },
    entries: [
      { text: 'Surname', value: 'Okonkwo' },
      { text: 'First names', value: 'Adaeze Grace' },
      { text: 'Date of birth', value: '07/04/1988' },
      { text: 'Vehicle registration', value: 'LK19 XYZ' },
      { choice: 'Zone', options: ['North', 'South', 'Harbour'], value: 'Harbour' },
      { question: 'Type of permit', answers: ['Resident', 'Visitor', 'Business'], ticked: ['Visitor'] },
      { question: 'Is the vehicle electric?', answers: ['Yes', 'No'], ticked: ['No'] },
      { box: 'I have a disabled badge', ticked: true },
      { box: 'Please send reminders by e-mail', ticked: false },
    ],
    schema: schemaOf(
      'surname',
      'first_names',
      'date_of_birth | Date of birth, YYYY-MM-DD',
      'vehicle_registration | Registration number of the vehicle',
      'zone',
      'permit_type | Type of permit',
      'electric_vehicle: boolean | Whether the vehicle is electric',
      'disabled_badge: boolean | Whether the applicant has a disabled badge',
      'email_reminders: boolean | Whether reminders are wanted by e-mail',
    ),
    expected: {
      surname: 'Okonkwo',
      first_names: 'Adaeze Grace',
      date_of_birth: '1988-04-07',
      vehicle_registration: 'LK19 XYZ',
      zone: 'Harbour',
      permit_type: 'Visitor',
      electric_vehicle: false,
      disabled_badge: true,
      email_reminders: false,
    },
  },
  {
    name: 'German, labels above',
    title: 'Antrag auf Mitgliedschaft',
    layout: { label: 'above', boxes: 'before' },
    entries: [
      { question: 'Anrede', answers: ['Frau', 'Herr', 'keine'], ticked: ['Frau'], separate: true },
      { text: 'Nachname', value: 'Brückner' },
      { text: 'Vorname', value: 'Johanna' },
      { text: 'Geburtsdatum', value: '23.09.1974' },
      { text: 'Straße und Hausnummer', value: 'Am Mühlbach 12a' },
      { text: 'Jahresbeitrag in EUR', value: '128,50' },
      { choice: 'Abteilung', options: ['Turnen', 'Rudern', 'Schach'], value: 'Rudern' },
      { question: 'Sind Sie bereits Mitglied?', answers: ['ja', 'nein'], ticked: ['ja'] },
      { box: 'Ich zahle per Lastschrift', ticked: false },
      { box: 'Ich möchte den Newsletter erhalten', ticked: true },
      { box: 'Ich habe die Satzung gelesen', ticked: true },
    ],
    schema: schemaOf(
      'Anrede',
      'Nachname',
      'Vorname',
      'Geburtsdatum | JJJJ-MM-TT',
      'Straße',
      'Jahresbeitrag: number',
      'Abteilung',
      'bereits_Mitglied: boolean | Ist der Antragsteller bereits Mitglied?',
      'Lastschrift: boolean',
      'Newsletter: boolean | Newsletter gewünscht',
      'Satzung_gelesen: boolean',
    ),
    expected: {
      Anrede: 'Frau',
      Nachname: 'Brückner',
      Vorname: 'Johanna',
      Geburtsdatum: '1974-09-23',
      Straße: 'Am Mühlbach 12a',
      Jahresbeitrag: 128.5,
      Abteilung: 'Rudern',
      bereits_Mitglied: true,
      Lastschrift: false,
      Newsletter: true,
      Satzung_gelesen: true,
    },
  },
  {
    name: 'French, boxes behind their text',
    title: 'Fiche d’inscription',
    layout: { label: 'left', boxes: 'behind' },
    entries: [
      { text: 'Nom', value: 'Da Silva' },
      { text: 'Prénom', value: 'Inès' },
      { text: 'Date de naissance', value: '02/11/1991' },
      { text: 'Ville', value: 'Saint-Étienne' },
      { text: 'Profession', value: 'Menuisière' },
      { question: 'Situation familiale', answers: ['célibataire', 'mariée', 'veuve'], ticked: ['célibataire'] },
      { question: 'Avez-vous des allergies ?', answers: ['oui', 'non'], ticked: ['oui'] },
      { box: 'J’accepte le règlement intérieur', ticked: true },
      { box: 'J’autorise la publication de photos', ticked: false },
    ],
    schema: schemaOf(
      'nom',
      'prénom',
      'date_de_naissance | AAAA-MM-JJ',
      'ville',
      'profession',
      'situation_familiale',
      'allergies: boolean | A-t-elle des allergies ?',
      'règlement_accepté: boolean | Le règlement intérieur est-il accepté ?',
      'photos_autorisées: boolean | La publication de photos est-elle autorisée ?',
    ),
    expected: {
      nom: 'Da Silva',
      prénom: 'Inès',
      date_de_naissance: '1991-11-02',
      ville: 'Saint-Étienne',
      profession: 'Menuisière',
      situation_familiale: 'célibataire',
      allergies: true,
      règlement_accepté: true,
      photos_autorisées: false,
    },
  },
  {
    name: 'Spanish, two columns',
    title: 'Solicitud de beca',
    layout: { label: 'above', boxes: 'before', columns: 2 },
    entries: [
      { text: 'Nombre', value: 'Lucía' },
      { text: 'Apellidos', value: 'Ibáñez Prado' },
      { text: 'Teléfono', value: '+34 612 345 678' },
      { text: 'Correo electrónico', value: 'lucia@correo.example' },
      { text: 'Ingresos anuales', value: '18.450,00' },
      { text: 'Número de hermanos', value: '3' },
      { box: 'Vive con sus padres', ticked: true },
      { box: 'Familia numerosa', ticked: true },
      { box: 'Tiene otra beca', ticked: false },
      { box: 'Trabaja además de estudiar', ticked: false },
    ],
    schema: schemaOf(
      'nombre',
      'apellidos',
      'teléfono',
      'correo_electrónico',
      'ingresos_anuales: number',
      'hermanos: number | Número de hermanos',
      'vive_con_padres: boolean | Vive con sus padres',
      'familia_numerosa: boolean',
      'otra_beca: boolean | Tiene otra beca',
      'trabaja: boolean | Trabaja además de estudiar',
    ),
    expected: {
      nombre: 'Lucía',
      apellidos: 'Ibáñez Prado',
      teléfono: '+34 612 345 678',
      correo_electrónico: 'lucia@correo.example',
      ingresos_anuales: 18450,
      hermanos: 3,
      vive_con_padres: true,
      familia_numerosa: true,
      otra_beca: false,
      trabaja: false,
    },
  },
  {
    name: 'Italian, tooltips alone',
    title: 'Modulo di richiesta',
    layout: { label: 'none', boxes: 'before' },
    entries: [
      { text: '', value: 'Giulia', tooltip: 'Nome del richiedente' },
      { text: '', value: 'Ferri', tooltip: 'Cognome del richiedente' },
      { text: '', value: 'RSSMRA85T10A562S', tooltip: 'Codice fiscale' },
      { text: '', value: '14/02/2026', tooltip: 'Data di inizio del corso' },
      { box: 'Desidero ricevere il bollettino', ticked: true },
      { box: 'Acconsento al trattamento dei dati', ticked: true },
      { box: 'Richiedo il parcheggio', ticked: false },
    ],
    schema: schemaOf(
      'nome_richiedente | Nome del richiedente',
      'cognome_richiedente | Cognome del richiedente',
      'codice_fiscale',
      'data_inizio | Data di inizio del corso, YYYY-MM-DD',
      'bollettino: boolean | Desidera ricevere il bollettino',
      'consenso_dati: boolean | Acconsente al trattamento dei dati',
      'parcheggio: boolean | Richiede il parcheggio',
    ),
    expected: {
      nome_richiedente: 'Giulia',
      cognome_richiedente: 'Ferri',
      codice_fiscale: 'RSSMRA85T10A562S',
      data_inizio: '2026-02-14',
      bollettino: true,
      consenso_dati: true,
      parcheggio: false,
    },
  },
  {
    name: 'Dutch, answers below their question',
    title: 'Aanvraagformulier',
    layout: { label: 'left', boxes: 'before', answersBelow: true },
    entries: [
      { text: 'Achternaam', value: 'De Vries' },
      { text: 'Voornaam', value: 'Pieter' },
      { text: 'Geboortedatum', value: '30-12-1969' },
      { question: 'Gewenste levering', answers: ['ophalen', 'bezorgen', 'per post'], ticked: ['bezorgen'] },
      {
        question: 'Talen',
        answers: ['Nederlands', 'Duits', 'Engels'],
        ticked: ['Nederlands', 'Engels'],
        separate: true,
      },
      { box: 'Ik ga akkoord met de voorwaarden', ticked: true },
      { box: 'Ik wil een kopie ontvangen', ticked: false },
    ],
    schema: schemaOf(
      'achternaam',
      'voornaam',
      'geboortedatum | JJJJ-MM-DD',
      'gewenste_levering',
      'talen',
      'akkoord_voorwaarden: boolean | Akkoord met de voorwaarden',
      'kopie: boolean | Wil een kopie ontvangen',
    ),
    expected: {
      achternaam: 'De Vries',
      voornaam: 'Pieter',
      geboortedatum: '1969-12-30',
      gewenste_levering: 'bezorgen',
      talen: 'Nederlands, Engels',
      akkoord_voorwaarden: true,
      kopie: false,
    },
  },
  {
    name: 'German, asked in English',
    title: 'Schadenmeldung',
    layout: { label: 'left', boxes: 'before', columns: 2 },
    entries: [
      { text: 'Versicherungsnummer', value: 'HV-2026-88123' },
      { text: 'Schadentag', value: '11.10.2026' },
      { text: 'Name des Versicherten', value: 'Öztürk, Emre' },
      { text: 'Schadenhöhe', value: '2.340,00' },
      { box: 'Polizei verständigt', ticked: true },
      { box: 'Personenschaden', ticked: false },
      { box: 'Zeugen vorhanden', ticked: true },
      { box: 'Fahrzeug fahrbereit', ticked: false },
    ],
    schema: schemaOf(
      'policy_number | Number of the insurance policy (Versicherungsnummer)',
      'date_of_loss | Schadentag, YYYY-MM-DD',
      'insured_name | Name des Versicherten',
      'amount_of_loss: number | Schadenhöhe',
      'police_informed: boolean | Polizei verständigt',
      'personal_injury: boolean | Personenschaden',
      'witnesses: boolean | Zeugen vorhanden',
      'roadworthy: boolean | Fahrzeug fahrbereit',
    ),
    expected: {
      policy_number: 'HV-2026-88123',
      date_of_loss: '2026-10-11',
      insured_name: 'Öztürk, Emre',
      amount_of_loss: 2340,
      police_informed: true,
      personal_injury: false,
      witnesses: true,
      roadworthy: false,
    },
  },
  {
    name: 'English, boxes behind and nothing ticked',
    title: 'Delivery check list',
    layout: { label: 'left', boxes: 'behind' },
    entries: [
      { text: 'Delivery note no.', value: 'DN-88172' },
      { text: 'Received by', value: 'Rachel Adeyemi' },
      { text: 'Number of boxes', value: '25' },
      { question: 'Condition', answers: ['good', 'damaged', 'incomplete'], ticked: [] },
      { question: 'Signed for', answers: ['Yes', 'No'], ticked: [] },
      { box: 'Seal intact', ticked: false },
      { box: 'Goods cooled', ticked: true },
    ],
    schema: schemaOf(
      'delivery_note_number',
      'received_by',
      'boxes: number | Number of boxes',
      'condition',
      'signed_for: boolean',
      'seal_intact: boolean',
      'goods_cooled: boolean',
    ),
    expected: {
      delivery_note_number: 'DN-88172',
      received_by: 'Rachel Adeyemi',
      boxes: 25,
      condition: null,
      signed_for: null,
      seal_intact: false,
      goods_cooled: true,
    },
  },
]

type Pen = { page: PDFPage; form: PDFForm; font: PDFFont; layout: Layout; next: number }

/** The form as a PDF with real fields that are called Text1, Box2 and the like. */
export async function pdfOf({ title, layout, entries, draw }: FilledForm): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  const page = pdf.addPage([595, 842])
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  const pen: Pen = { page, form: pdf.getForm(), font, layout, next: 1 }
  page.drawText(title, { x: 50, y: 790, size: 16, font })
  const columns = layout.columns ?? 1
  let y = 740
  for (const [index, entry] of entries.entries()) {
    const column = index % columns
    const x = 50 + column * 260
    const height = drawEntry(pen, entry, x, y, columns === 1 ? 500 : 240)
    if (column === columns - 1) y -= height
  }
  draw?.(pen)
  return pdf.save()
}

function drawEntry(pen: Pen, entry: Entry, x: number, y: number, width: number): number {
  if ('text' in entry) return drawText(pen, entry, x, y, width)
  if ('choice' in entry) return drawChoice(pen, entry, x, y, width)
  if ('box' in entry) {
    drawBox(pen, entry.box, x, y, (at) => {
      const field = pen.form.createCheckBox(`Box${pen.next++}`)
      field.addToPage(pen.page, { x: at, y: y - 2, width: 11, height: 11 })
      if (entry.ticked) field.check()
    })
    return 26
  }
  return drawQuestion(pen, entry, x, y)
}

function write({ page, font }: Pen, text: string, x: number, y: number): number {
  page.drawText(text, { x, y, size: 10, font })
  return font.widthOfTextAtSize(text, 10)
}

function drawText(
  pen: Pen,
  { text, value, tooltip }: Extract<Entry, { text: string }>,
  x: number,
  y: number,
  width: number,
): number {
  const above = pen.layout.label === 'above'
  const offset = pen.layout.label === 'left' ? Math.min(170, width / 2) : 0
  if (text !== '') write(pen, pen.layout.label === 'left' ? `${text}:` : text, x, y)
  const field = pen.form.createTextField(`Text${pen.next++}`)
  field.setText(value)
  field.addToPage(pen.page, {
    x: x + offset,
    y: above ? y - 24 : y - 5,
    width: width - offset - 20,
    height: 18,
    borderWidth: 0.5,
  })
  for (const widget of tooltip === undefined ? [] : field.acroField.getWidgets())
    widget.dict.set(PDFName.of('TU'), PDFHexString.fromText(tooltip!))
  return above ? 46 : 28
}

function drawChoice(
  pen: Pen,
  { choice, options, value }: Extract<Entry, { choice: string }>,
  x: number,
  y: number,
  width: number,
): number {
  const above = pen.layout.label === 'above'
  const offset = above ? 0 : Math.min(170, width / 2)
  write(pen, choice, x, y)
  const field = pen.form.createDropdown(`List${pen.next++}`)
  field.addOptions(options)
  field.select(value)
  field.addToPage(pen.page, { x: x + offset, y: above ? y - 24 : y - 5, width: 150, height: 18 })
  return above ? 46 : 28
}

/** A box and its text on the side that the layout says; returns where what follows may begin. */
function drawBox(pen: Pen, text: string, x: number, y: number, addAt: (x: number) => void): number {
  if (pen.layout.boxes === 'before') {
    addAt(x)
    return x + 17 + write(pen, text, x + 17, y)
  }
  const end = x + write(pen, text, x, y) + 6
  addAt(end)
  return end + 11
}

function drawQuestion(
  pen: Pen,
  { question, answers, ticked, separate }: Extract<Entry, { question: string }>,
  x: number,
  y: number,
): number {
  const width = write(pen, question, x, y)
  const group = separate ? undefined : pen.form.createRadioGroup(`Group${pen.next++}`)
  let [at, line] = pen.layout.answersBelow ? [x, y - 18] : [x + Math.max(170, width + 15), y]
  for (const answer of answers) {
    const end = drawBox(pen, answer, at, line, (left) => {
      const place = { x: left, y: line - 2, width: 11, height: 11 }
      if (group !== undefined) return group.addOptionToPage(answer, pen.page, place)
      const field = pen.form.createCheckBox(`Box${pen.next++}`)
      field.addToPage(pen.page, place)
      if (ticked.includes(answer)) field.check()
    })
    if (pen.layout.answersBelow) line -= 18
    else at = end + 22
  }
  if (group !== undefined && ticked[0] !== undefined) group.select(ticked[0])
  return pen.layout.answersBelow ? 24 + answers.length * 18 : 26
}

/** A box alone. */
function tick(pen: Pen, x: number, y: number, ticked: boolean): void {
  const field = pen.form.createCheckBox(`Kontrollkästchen ${pen.next++}`)
  field.addToPage(pen.page, { x, y: y - 2, width: 11, height: 11 })
  if (ticked) field.check()
}

function answer(pen: Pen, text: string, x: number, y: number, ticked: boolean): void {
  tick(pen, x, y, ticked)
  write(pen, text, x + 17, y)
}
