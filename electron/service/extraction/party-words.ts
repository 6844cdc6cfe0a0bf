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
export const placeLine =
  /^(?:[A-Z]{1,3}[-\s])?\d{4,5}\s+\p{Lu}[\p{L}.'’/()-]+(?:\s[\p{L}\d.'’/()-]+){0,5}(?:,\s[\p{L}\s.'’/-]+\s\d+\s?\p{L}?)?$|^\p{Lu}[^,:·|•]{2,40}\s\d+\s?\p{L}?,\s(?:[A-Z]{1,2}-)?\d{4,5}\s\p{Lu}[\p{L}\s.()-]+$|^\p{Lu}[\p{L}\s.'’-]+,?\s+[A-Z]{2}\s+\d{5}(?:-\d{4})?$|^(?:[\p{L}\s.'’,-]+\s)?[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}$/u
/** Lines of an address that are never its name: streets, units, owners, registers. */
export const noName =
  /^(?:und|and|et|y|zwischen|between|entre|unit|suite|building|floor|apt|postfach|p\.?\s?o\.?\s?box|bp|inh\.|inhaber|owner|prop\.|familie|pächter|geschäftsführer|gérant|z\.\s?hd|c\/o|attn|pol\. ind|polígono|zone|za|zi|tel|fax|siret|ust|vat|nif|cif)(?![\p{L}])|^\d+\s?(?:bis|ter)?,?\s\p{L}|(?:straße|strasse|str\.?|weg|platz|gasse|allee|ring|street|road|lane|avenue|drive)\s+\d+\s?\p{L}?(?:\b|$)|^(?:rue|avenue|boulevard|chemin|allée|place|quai|calle|c\/|plaza|paseo|avda?\.?)\s/iu
export const country =
  /^(?:deutschland|germany|allemagne|alemania|österreich|austria|schweiz|suisse|switzerland|france|frankreich|francia|spain|españa|spanien|espagne|united kingdom|uk|england|great britain|usa|united states|belgium|belgique|belgien|italia|italy|luxembourg|luxemburg|netherlands|niederlande|portugal)\b.*$/iu
