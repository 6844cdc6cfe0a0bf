/**
 * What office words mean, as data: a language-neutral word on the left, its forms in English, German,
 * French and Spanish on the right. Labels and field names are reduced to these words, so that
 * «Rechnungsdatum», «Date de facture» and `invoice_date` are one and the same pair of words.
 */
export const lexicon: Readonly<Record<string, string>> = {
  // documents
  invoice: 'invoice inv bill billing facturation facturacion rechnung rechn faktura rg re facture fact factura',
  creditnote: 'creditnote gutschrift avoir abono stornorechnung rechnungskorrektur rectificativa',
  receipt: 'receipt quittung bon kassenbon kassenbeleg quittance ticket recu recibo',
  document: 'document beleg dokument documento',
  deliverynote: 'lieferschein liefersch albaran lieferbeleg',
  order: 'order purchaseorder po bestell bestellung auftrag auftrags commande cde pedido orden encargo',
  quote: 'quote quotation offer offerte angebot devis oferta presupuesto cotizacion',
  statement: 'statement stmt auszug kontoauszug releve extracto',
  contract: 'contract agreement vertrag contrat contrato',
  policy: 'policy police versicherungsschein poliza',
  project: 'project projekt projet proyecto',
  form: 'form formular formulaire formulario',
  request: 'request application antrag anfrage demande solicitud',
  report: 'report bericht rapport informe',
  slip: 'slip note schein',
  payslip: 'payslip gehaltsabrechnung lohnabrechnung entgeltabrechnung verdienstabrechnung nomina',
  // numbers and references
  nr: 'nr no nos number num numero nummer numm n nbr',
  id: 'id identifier identification identifikation identifikationsnummer kennung ident identificador identificacion',
  code: 'code codigo schlussel',
  reference: 'reference ref referenz referencia zeichen betreff',
  file: 'file akte aktenzeichen az geschaftszeichen dossier expediente vorgangsnummer case',
  index: 'position pos artikelposition posicion ligne linea line zeile',
  // time
  date: 'date dated datum fecha dat dt',
  day: 'day tag jour dia days tage jours dias',
  month:
    'month monat mois mes monthly monatlich monatliche mensuel mensuelle mensual mensuales meses monate monats months',
  year: 'year jahr annee ano an exercice geschaftsjahr annual annually jahres jahrlich jahrlicher annuel annuelle anual jahresbeitrag',
  time: 'time uhrzeit zeit heure hora',
  period: 'period zeitraum periode periodo periods abrechnungszeitraum berechnungszeitraum',
  due: 'due fallig falligkeit zahlbar echeance vencimiento zahlungsziel frist deadline zahlungsfrist',
  issue: 'issue issued ausstellung ausgestellt emission emis emitida expedicion emisie erstellt erstellung',
  start:
    'start starts starting begin begins beginning beginn beginnt anfang anfangs debut debute commence commences commencing inicio inicial inicia comienza comienzo empieza ab from desde since seit depuis effective effet efecto inkrafttreten',
  end: 'end ending ende fin final schluss until bis expiry expiration expires ablauf expiracion caducidad termination jusqu hasta ends endet endete expire expires expiring termine finaliza befristet vence lauft',
  valid: 'valid validity gultig gultigkeit valable validite valido validez valida',
  print: 'print printed druck gedruckt imprime impresion impreso',
  birth: 'birth born geburt geboren geb naissance ne nee nacimiento nacido dob',
  entry: 'entry eintritt entree ingreso antiguedad anciennete',
  exit: 'exit austritt sortie salida baja',
  booking:
    'booking buchung buchungs posting posted tran trans txn comptable comptabilisation contable operacion operation transaction',
  valuta: 'valuta wertstellung wert valuedate',
  service: 'service leistung leistungs dienstleistung prestation servicio prestations',
  shipping: 'shipping shipment versand shipped expedition envoi envio',
  delivery: 'delivery delivered liefer lieferung liefertermin livraison entrega anlieferung geliefert livre',
  pickup: 'pickup abholung enlevement recogida',
  arrival: 'arrival ankunft arrivee llegada anreise checkin',
  departure: 'departure abfahrt abreise depart abflug salidas checkout',
  // parties
  seller:
    'seller exporter exportateur exportador exporteur consignor supplier vendor lieferant verkaufer vendeur fournisseur proveedor vendedor emetteur emisor leistungserbringer merchant issuer aussteller rechnungssteller rechnungsaussteller anbieter versorger provider handler kreditor creditor glaubiger creancier acreedor prestataire',
  buyer:
    'buyer customer client kunde kunden kd kaufer leistungsempfanger acheteur cliente comprador auftraggeber besteller rechnungsempfanger debitor schuldner debiteur deudor purchaser destinataire destinatario abnehmer',
  recipient:
    'recipient importer importeur importateur importador empfanger receiver consignee beneficiaire beneficiario beneficiary warenempfanger zahlungsempfanger payee',
  payer: 'payer zahlungspflichtiger donneur ordenante auftraggeber payeur pagador',
  sender: 'sender absender expediteur remitente shipper',
  company:
    'company firma unternehmen societe entreprise empresa organisation organization organizacion business gesellschaft betrieb',
  employee:
    'employee pers mitarbeiter mitarbeiterin arbeitnehmer arbeitnehmerin salarie employe empleado trabajador personal',
  employer: 'employer arbeitgeber employeur empleador',
  patient: 'patient patientin paciente',
  insured:
    'insured versicherter versicherte versicherungsnehmer versicherungsnehmerin assure assuree souscripteur asegurado asegurada tomador policyholder',
  insurer: 'insurer versicherer assureur aseguradora asegurador underwriter versicherungsgesellschaft',
  broker:
    'broker makler versicherungsmakler courtier corredor correduria vermittler intermediaire mediador agent agente',
  tenant: 'tenant mieter locataire inquilino inquilina arrendatario arrendataria lessee renter preneur',
  landlord: 'landlord vermieter bailleur proprietaire arrendador arrendadora propietario propietaria lessor',
  applicant: 'applicant antragsteller antragstellerin demandeur solicitante',
  owner: 'owner holder inhaber inhaberin titulaire titular kontoinhaber',
  driver: 'driver fahrer chauffeur conducteur conductor',
  carrier:
    'carrier frachtfuhrer frachter spediteur spedition transporteur transportista haulier forwarder paketdienst transportunternehmen',
  contact: 'contact kontakt ansprechpartner ansprechpartnerin contacto sachbearbeiter bearbeiter interlocuteur',
  cashier: 'cashier kassierer bediener caissier cajero bedienung served',
  partner: 'partner geschaftspartner gegenpartei counterparty',
  manager: 'manager leiter geschaftsfuhrer gerant directeur gerente director',
  // names and places
  name: 'name nom nombre',
  firstname: 'firstname vorname prenom givenname forename rufname',
  lastname: 'lastname surname nachname familienname apellido apellidos familyname zuname',
  title: 'title titel anrede civilite tratamiento salutation titulo',
  address: 'address adresse anschrift direccion domicilio addr adr',
  street: 'street strasse str rue calle avenue',
  house: 'house hausnummer',
  city: 'city town stadt ville ciudad wohnort localite localidad municipio poblacion ort',
  postcode: 'postcode zip plz postleitzahl postal cp',
  country: 'country land pays pais',
  region: 'region bundesland province provincia departement canton kanton',
  place: 'place lieu lugar location standort site',
  store: 'store shop filiale branch magasin tienda sucursal agence laden geschaft restaurant markt',
  terminal: 'terminal kasse caisse caja register',
  department: 'department abteilung service departamento',
  costcenter: 'costcenter kostenstelle',
  nationality: 'nationality staatsangehorigkeit nationalitat nationalite nacionalidad',
  gender: 'gender sex geschlecht sexe sexo',
  marital: 'marital familienstand matrimonial civil',
  profession: 'profession occupation beruf job poste puesto position emploi funktion fonction tatigkeit cargo',
  // reaching people
  email: 'email mail emailadresse courriel correo mel mailadresse',
  phone:
    'phone telephone tel telefon telefonnummer fon fono telefono rufnummer mobile mobil handy portable movil telefonnr',
  fax: 'fax telefax telecopie telefaxnummer',
  web: 'web website url homepage internet webseite www site',
  // money
  amount: 'amount betrag montant importe betrage sum monto cuantia amt',
  value: 'value wert valeur valor',
  total:
    'total tot totals gesamt summe endbetrag endsumme gesamtsumme gesamtbetrag totale insgesamt grand rechnungsbetrag totaux',
  subtotal: 'subtotal zwischensumme soustotal',
  net: 'net netto ht hors excl excluding exkl ohne untaxed imponible before',
  gross:
    'gross brutto ttc inkl incl including included inclusive inclus incluse incluido incluida comprise bruttosumme bruto',
  tax: 'tax taxe taxes vat ust mwst umsatzsteuer mehrwertsteuer steuer steuerbetrag tva iva impuesto impuestos gst igic steuern versicherungssteuer versicherungsteuer',
  rate: 'rate satz taux tipo tarif tasa',
  percent: 'percent prozent pourcentage porcentaje pct',
  price: 'price preis prix precio tarif',
  unit: 'unit einheit unite unidad einh me uom unitaire unitario stuck ud uds',
  single: 'single einzel each',
  quantity:
    'quantity qty unidades menge anzahl quantite cantidad qte cant anz stuckzahl units nombre liefermenge cajas',
  ordered: 'ordered bestellt bestellmenge commandee cdee pedida commande',
  discount:
    'discount discounts disc rabatt remise descuento skonto abschlag nachlass rem escompte dto rebate ermassigung',
  surcharge: 'surcharge zuschlag supplement recargo charge aufschlag',
  fee: 'fee fees gebuhr gebuhren frais comision comisiones commission entgelt honorar honoraires',
  freight: 'freight frt fracht versandkosten port portes porto lieferkosten transport',
  tip: 'tip trinkgeld pourboire propina gratuity',
  deposit: 'deposit anzahlung acompte anticipo kaution caution fianza prepaid vorauszahlung pfand downpayment',
  paid: 'paid bezahlt gezahlt paye payee regle reglee acquitte acquittee pagado pagada entregado payed tendered gegeben beglichen',
  payable: 'payable zahl zahlen zahlende zahlender zahlendes bezahlen bezahlende regler pagar remit abonar zahlbetrag',
  claim:
    'claim forderung forderungen gesamtforderung creance reclamacion schadensfall sinistre siniestro schadennummer',
  change: 'change ruckgeld wechselgeld rendu cambio zuruck monnaie',
  cash: 'cash bar bargeld especes efectivo barzahlung',
  card: 'card karte carte tarjeta kartennummer ec girocard',
  balance: 'balance bal saldo solde kontostand',
  opening:
    'opening alt alter alten anfangssaldo ancien ancienne previous prev prior vorheriger vorherige letzter precedent precedente anterior old forward vortrag',
  closing: 'closing neu neue neuer neuen endsaldo nouveau nouvel nouvelle new nuevo nueva schlusssaldo',
  remaining: 'remaining outstanding offen offener restant restante pendiente rest restbetrag',
  debit: 'debit soll lastschrift belastung debet cargo debe ausgang withdrawal withdrawals ausgaben retiro paidout',
  credit: 'credit haben gutgeschrieben eingang abono haber deposits einnahmen ingreso paidin',
  currency: 'currency ccy wahrung devise moneda divisa monnaie curr',
  payment: 'payment pmt zahlung paiement pago reglement zahlungs bezahlung paiements',
  method: 'method weise mode modo forma modalite means moyen zahlungsweise medio zahlart',
  terms: 'terms bedingungen conditions condiciones bedingung konditionen zahlungsbedingungen zahlungskonditionen',
  deduction: 'deduction deductions abzug abzuge retenue retenues deduccion deducciones deducir deduire',
  salary:
    'salary pay gehalt lohn wage wages salaire salario sueldo bezuge entgelt lohnleistungen lohne arbeitslohn remuneration vergutung',
  payout: 'payout auszahlung auszahlungsbetrag auszahlbetrag uberweisungsbetrag',
  premium: 'premium beitrag prime prima versicherungsbeitrag',
  rent: 'rent miete loyer alquiler renta kaltmiete',
  interest: 'interest zinsen interets interet intereses zins verzugszinsen',
  loan: 'loan darlehen kredit pret prestamo',
  cost: 'cost costs kosten cout couts coste costes charges unkosten auslagen',
  budget: 'budget presupuestado',
  exchange: 'exchange wechselkurs kurs change',
  // bank
  iban: 'iban',
  bic: 'bic swift',
  bank: 'bank bankname kreditinstitut banque banco geldinstitut bankinstitut domiciliation entidad',
  account: 'account konto compte cuenta acct ac kto bankverbindung bankverb',
  blz: 'blz bankleitzahl sortcode routing sort',
  mandate: 'mandate mandat mandats mandato mandatsreferenz',
  purpose: 'purpose verwendungszweck motif concepto objet zweck libelle buchungstext text vorgang',
  // identities
  vat: 'vatid ustid uid ustidnr umsatzsteuerid ustidentnr',
  register:
    'register handelsregister rcs hrb registro registration siret siren registre registergericht handelsregisternummer companieshouse',
  taxnumber: 'steuernummer steuernr nif cif stnr steueridentifikationsnummer tin',
  social: 'social sozial sozialversicherung secu securite seguridad ssn sv',
  health: 'health kranken krankenversicherung krankenkasse sante salud',
  insurance: 'insurance versicherung assurance seguro',
  passport: 'passport reisepass pass passeport pasaporte ausweis personalausweis dni carnet',
  license: 'license licence lizenz permis licencia fuhrerschein',
  plate: 'plate kennzeichen immatriculation matricula amtliches vrm',
  vehicle: 'vehicle fahrzeug vehicule vehiculo kfz car auto wagen',
  serial: 'serial serien serie',
  batch: 'batch chargen lot los lote charg',
  tracking: 'tracking sendung sendungs suivi seguimiento',
  // goods
  article: 'article artikel articulo sku product produkt produit producto art material mat item ware',
  description:
    'description bezeichnung beschreibung designation descripcion artikelbezeichnung libelle leistungsbeschreibung produktbezeichnung warenbezeichnung details detalle denominacion desc particulars',
  weight: 'weight gewicht poids peso',
  volume: 'volume volumen',
  size: 'size grosse taille talla tamano format',
  color: 'color colour farbe couleur',
  package:
    'package packages pieces packstucke packstuck packstucke colli karton kartons paket pakete bulto bultos palette paletten parcel colis box boxes pallets carton cartons',
  hour: 'hour hours stunde stunden std heures heure horas arbeitsstunden gesamtstunden hrs',
  category: 'category kategorie categorie categoria gruppe group klasse class klass',
  type: 'type typ tipo sorte typus',
  status: 'status zustand statut estado etat state',
  stock: 'stock bestand lager inventory almacen warehouse lagerort',
  gtin: 'gtin ean barcode upc gln',
  medication: 'medication medicine medicament medikament medikamente arzneimittel medicamento drug',
  dose: 'dose dosage posologie dosierung dosis posologia',
  // forms
  signature: 'signature unterschrift firma signed gezeichnet unterzeichnet firmado signe',
  comment:
    'comment comments remark remarks bemerkung bemerkungen anmerkung remarque remarques observaciones observacion notes notiz notizen hinweis hinweise kommentar observations commentaire nota notas',
  subject: 'subject betreff objet asunto thema sujet',
  accept:
    'accept agree accepted einverstanden akzeptiere akzeptiert zustimmung zustimme accepte acepto accord consent einwilligung consentement consentimiento accepts bestatige',
  confirm: 'confirm confirmed bestatigt bestatigung confirme confirmado confirmation',
  member: 'member mitglied membre miembro socio membership mitgliedschaft mitglieds',
  newsletter: 'newsletter infobrief boletin rundbrief',
  married: 'married verheiratet marie mariee casado casada',
  child: 'child children kind kinder enfant enfants hijo hijos',
  damage: 'damage damaged schaden beschadigt beschadigung dommage dommages dano danos endommage',
  complete: 'complete vollstandig complet completo',
  reverse: 'reverse steuerschuldnerschaft autoliquidation inversion',
  event: 'event veranstaltung evenement evento',
  course: 'course kurs cours curso',
  hotel: 'hotel ubernachtung unterkunft nacht nuit noche night nights',
  room: 'room zimmer chambre habitacion raum',
  guest: 'guest gast gaste huesped invite',
  meter: 'meter zahler compteur contador',
  consumption:
    'consumption verbrauch consommation consumo usage used verbraucht consomme consumido kwh gesamtverbrauch',
  reading: 'reading stand zahlerstand releves lectura ablesung zahlerstande messerstand lecturas',
  notice: 'notice kundigung kundigungsfrist preavis preaviso',
  duration: 'duration dauer laufzeit duree duracion term plazo mietdauer vertragsdauer vertragslaufzeit',
  approval:
    'approval approved approver genehmigung genehmigt genehmigende freigabe freigegeben approbation approuve aprobado aprobada autorizado',
  coupon: 'coupon voucher gutschein gutscheincode promo promotion aktionscode cupon rabattcode',
  dunning: 'dunning reminder mahn mahnung zahlungserinnerung rappel relance recordatorio',
  waybill: 'waybill bol frachtbrief',
  hazard:
    'hazard hazmat hazardous dangerous gefahrgut adr dangereux dangereuse dangereuses peligrosa peligrosas peligroso peligrosos',
  pet: 'pet pets haustier haustiere tierhaltung tiere animaux animal mascota mascotas animales',
  limit:
    'limit rahmen verfugungsrahmen plafond limite dispo dispolimit kreditrahmen kontouberziehung overdraft decouvert descubierto',
  minimum: 'minimum min mindest mindestbetrag minimal minimo',
  origin: 'origin ursprung origine origen ursprungsland herkunft',
  area: 'area flache wohnflache superficie surface grundflache',
  target: 'target soll sollstunden vorgesehen prevu previsto',
  overtime: 'overtime uberstunden mehrarbeit supplementaires extras',
  mileage: 'mileage kilometer kilometrage kilometraje miles odometer kilometerstand',
  excess: 'excess selbstbeteiligung selbstbehalt franchise franquicia deductible',
  diagnosis: 'diagnosis diagnose diagnosen diagnostic diagnostico',
  doctor: 'doctor physician arzt arztin hausarzt medecin medico',
  allergy: 'allergy allergies allergie allergien alergia alergias',
  property:
    'property objekt bauvorhaben mietobjekt einsatzort baustelle finca inmueble vivienda wohnung logement premises liegenschaft bien chantier',
}

/** Words that say little by themselves; they weigh less when labels are compared. */
export const genericWords: ReadonlySet<string> = new Set(
  'nr id code reference date day name amount value type document time number index unit address percent text'.split(
    ' ',
  ),
)

/** German words that close a compound whose first part need not be known («Zählernummer», «Mietbetrag»). */
export const compoundTails: readonly string[] =
  'nummer nr datum betrag summe name adresse anschrift preis menge gewicht kosten nummern bezeichnung zeitraum gebuhr termin satz konto kennung schlussel saldo beginn ende status'.split(
    ' ',
  )

/**
 * German words that stand for a kind of document whatever comes before them («Handelsrechnung», «Sammellieferschein»).
 */
export const documentTails: Readonly<Record<string, string>> = {
  rechnung: 'invoice',
  gutschrift: 'creditnote',
  lieferschein: 'deliverynote',
  kontoauszug: 'statement',
  bestellung: 'order',
}

/** Words without meaning of their own in a label, in the four languages. */
export const stopWords: ReadonlySet<string> = new Set(
  (
    'the of a to for on in at by and or per our your my is are was which with as this that it its be us you we please ' +
    'der die das des den dem ein eine einer eines und oder fur von vom zum zur zu im am an auf mit ihr ihre ihrer ihren unser unsere unserer sie bitte wir ist als aus bei ' +
    'le la les l un une de du d et ou pour par sur au aux votre vos notre nos en a est qui que ' +
    'el los las lo y o para por con su sus nuestro nuestra vuestra del al es se ' +
    'betragt belauft hohe amounts fixed agreed set fija fijada asciende eleve fixe fixee agree shall will ' +
    'noch ce ca ' +
    'eur euro euros chf usd gbp dd mm yyyy yy tt jj jjjj aaaa aa'
  ).split(' '),
)
