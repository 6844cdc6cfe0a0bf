/** What tells names from places and streets, as offices of Europe and America print them. */

/** As patterns: of Europe and America first, then of Asia and in capitals, as tills print them. */
const legalForms = [
  String.raw`GmbH|mbH|AG|KG|KGaA|OHG|GbR|UG|SE|e\.\s?K\.|e\.\s?V\.|eG|a\.\s?G\.|Ltd|Limited|LLC|LLP|Inc|Corp`,
  String.raw`Corporation|PLC|plc|SARL|S\.?à\.?r\.?l|SAS|SASU|EURL|SCI|SNC|S\.A\.S|S\.A\.R\.L|S\.A|SA|S\.L\.U|S\.L|SL`,
  String.raw`SLU|S\.R\.L|SRL|B\.V|BV|N\.V|NV|Pty|Co|Oy|AB|ApS|Sàrl|GMBH|LTD|CORP|[Ss](?:dn|DN)\.?\s?[Bb](?:hd|HD)`,
  String.raw`S\/B|Bhd|BHD|Berhad|Pte|PTE|Pvt|PVT|S\.p\.A|S\.r\.l|Srl|Sp\.\sz\so\.o|s\.r\.o|Kft|A\/S|Lda|Ltda|LDA|LTDA`,
  String.raw`d\.o\.o|Oyj`,
]

export const legalForm = new RegExp(String.raw`(?<![\p{L}])(?:${legalForms.join('|')})(?![\p{L}])\.?`, 'u')
const townWord = String.raw`\p{Lu}[\p{L}.'’/()-]+(?:,?\s[\p{L}\d.'’/()-]+){0,5}`
/** As a town stands in an address: with the code before it or behind it, with a state, behind a street. */
const placeLines = [
  // «76131 Karlsruhe», «D-76131 Karlsruhe», «43300 Town, State»
  String.raw`(?:[A-Z]{1,3}[-\s])?\d{4,5},?\s+${townWord}(?:,\s[\p{L}\s.'’/-]+\s\d+\s?\p{L}?)?`,
  // «Am Wall 3a, 76131 Karlsruhe»
  String.raw`\p{Lu}[^,:·|•]{2,40}\s\d+\s?\p{L}?,\s(?:[A-Z]{1,2}-)?\d{4,5}\s\p{Lu}[\p{L}\s.()-]+`,
  // «Salem, OR 97301», «Geelong VIC 3220»
  String.raw`(?:[^,:|•]{2,60},\s)?\p{Lu}[\p{L}\s.'’-]+,?\s+(?:[A-Z]{2}\s+\d{5}(?:-\d{4})?|(?:NSW|VIC|QLD|SA|WA|TAS|NT|ACT)\s+\d{4})`,
  // «Leeds LS1 4AP», «Halifax, NS B3H 1A1»
  String.raw`(?:[\p{L}\s.'’,-]+\s)?(?:[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}|[A-Z]\d[A-Z]\s?\d[A-Z]\d)`,
  // «Singapore 238801», «Pune - 411001»
  String.raw`(?:Singapore|SINGAPORE|\p{Lu}[\p{L}\s.'’]+\s[-–])\s\(?\d{6}\)?`,
]
export const placeLine = new RegExp(String.raw`^(?:${placeLines.join('|')})[.,]?$`, 'u')
/** Lines of an address that are never its name: streets, units, owners, registers. */
export const noName =
  /^(?:und|and|et|y|zwischen|between|entre|unit|suite|building|floor|apt|postfach|p\.?\s?o\.?\s?box|bp|inh\.|inhaber|owner|prop\.|familie|pächter|geschäftsführer|gérant|z\.\s?hd|c\/o|attn|pol\. ind|polígono|zone|za|zi|tel|fax|siret|ust|vat|nif|cif)(?![\p{L}])|^\d+\s?(?:bis|ter)?,?\s\p{L}|(?:straße|strasse|str\.?|weg|platz|gasse|allee|ring|street|road|lane|avenue|drive)\s+\d+\s?\p{L}?(?:\b|$)|^(?:rue|avenue|boulevard|chemin|allée|place|quai|calle|c\/|plaza|paseo|avda?\.?)\s/iu
export const country =
  /^(?:deutschland|germany|allemagne|alemania|österreich|austria|schweiz|suisse|switzerland|france|frankreich|francia|spain|españa|spanien|espagne|united kingdom|uk|england|great britain|usa|united states|belgium|belgique|belgien|italia|italy|luxembourg|luxemburg|netherlands|niederlande|portugal)\b.*$/iu
