// In: the records of a result, and the partners.
// Out: what the partners put in the place of values, and what of them needs a look.
import { comparableCode, mayBeSameName } from '../../../shared/domain/partner.ts'
import type { Partner } from '../../../shared/domain/partner.ts'
import { valueAt } from '../../../shared/domain/pointer.ts'
import type { ExtractedRecord, OtherValues } from '../../../shared/domain/result.ts'
import type { Correction, Flag } from '../../../shared/domain/review.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import type { PartnerKeys, PartnerMatch } from '../db/tables/partners.ts'
import { keysOf, placesOf, senderOf } from './sender.ts'
import type { Placed, Sender } from './sender.ts'

type Partners = { isEmpty: boolean; find: (keys: PartnerKeys, isOwn?: boolean) => PartnerMatch | null }

type Own = { pointer: string; value: string }

type Judgement = { corrections: Correction[]; flags: Flag[] }

/**
 * What the partners say of a result: a sender's name is as the office writes it, also where the document was read
 * without one; a company of the office itself is not the sender, so its name, VAT number or account is taken out and
 * flagged; an account that the sender is not known to have, or that is another's, is flagged. `isTouched`: a person put
 * something there, which stays. Pure but for `partners`.
 */
export function byPartners(
  partners: Partners,
  records: readonly ExtractedRecord[],
  elements: readonly SchemaElement[],
  isTouched: (pointer: string) => boolean,
): Judgement {
  const sender = partners.isEmpty ? null : senderOf(records, elements)
  if (sender === null) return { corrections: [], flags: [] }
  const own = ownIn(partners, sender).filter(({ pointer }) => !isTouched(pointer))
  const others = withoutOwn(sender, own)
  const { name } = others
  const found = partners.find(keysOf(others))
  const stranger = strangerIn(found, name)
  const match = stranger === null ? found : null
  const partner = match?.partner ?? null
  const isNamed = partner !== null && name !== null && partner.isNamed && !isTouched(name.pointer)
  // Where another value says who it is there is no question about the name.
  const open = own.filter(({ pointer }) => !isNamed || pointer !== name.pointer)
  return {
    corrections: [
      ...open.map(({ pointer, value }) => ({ pointer, extracted: value, value: null })),
      ...(isNamed ? [{ pointer: name.pointer, extracted: sender.name!.value, value: partner.name }] : []),
    ],
    flags: [
      ...open.map(({ pointer, value }): Flag => ({ code: 'own_company', pointer, value })),
      ...(isNamed ? doubtOf(match!, name) : []),
      ...(stranger === null ? [] : vatOfOther(others, stranger)),
      ...otherAccounts(partners, partner, others),
    ],
  }
}

/** The sender without the values that are those of the office itself. */
function withoutOwn({ name, vatId, accounts }: Sender, own: readonly Own[]): Sender {
  const isOwn = ({ pointer }: Placed): boolean => own.some((each) => each.pointer === pointer)
  return {
    name: name && isOwn(name) ? { ...name, value: null } : name,
    vatId: vatId && isOwn(vatId) ? null : vatId,
    accounts: accounts.filter((account) => !isOwn(account)),
  }
}

/**
 * An account may be shared, and a VAT number may be of somebody else on the page: then the name says so, or nothing.
 */
function doubtOf({ partner, by }: PartnerMatch, { pointer, value: printed }: Placed): Flag[] {
  const isDoubtful = printed === null ? by === 'account' : by === 'vatId' && !mayBeSameName(partner.name, printed)
  return isDoubtful ? [{ code: 'unsure', pointer, value: partner.name }] : []
}

/**
 * The partner that a VAT number finds, where the sender has quite another name: null where a person wrote the partner's
 * name, since that is what the sender is called then.
 */
function strangerIn(match: PartnerMatch | null, name: Placed | null): Partner | null {
  const printed = name?.value ?? null
  if (match === null || match.by !== 'vatId' || match.partner.isNamed || printed === null) return null
  return mayBeSameName(match.partner.name, printed) ? null : match.partner
}

function vatOfOther({ vatId }: Sender, { name: holder }: Partner): Flag[] {
  if (vatId === null || vatId.value === null) return []
  return [{ code: 'vat_of_other', pointer: vatId.pointer, vatId: vatId.value, holder }]
}

/** What makes the sender in `records` what it was in `shown`, save where a person put something. Pure. */
export function senderAsBefore(
  records: readonly ExtractedRecord[],
  shown: readonly ExtractedRecord[],
  elements: readonly SchemaElement[],
  isTouched: (pointer: string) => boolean,
): Correction[] {
  return placesOf(senderOf(records, elements))
    .filter((pointer) => !isTouched(pointer))
    .map((pointer) => ({
      pointer,
      extracted: valueAt(records, pointer) ?? null,
      value: valueAt(shown, pointer) ?? null,
    }))
}

/** What is offered, but for values of the office's own companies as the sender's. Pure but for `partners`. */
export function withoutOwnOffers<Offer extends OtherValues>(
  offers: readonly Offer[],
  partners: Partners,
  records: readonly ExtractedRecord[],
  elements: readonly SchemaElement[],
): Offer[] {
  const sender = partners.isEmpty ? null : senderOf(records, elements)
  if (sender === null) return [...offers]
  const places = new Set(placesOf(sender))
  const isOwn = (at: string, value: string): boolean => {
    const put = <T extends Placed | null>(placed: T): T => (placed?.pointer === at ? { ...placed, value } : placed)
    const offered = { name: put(sender.name), vatId: put(sender.vatId), accounts: sender.accounts.map(put) }
    return ownIn(partners, offered).some(({ pointer }) => pointer === at)
  }
  return offers.map((offer) => {
    if (!places.has(offer.pointer)) return offer
    const isOfOthers = ({ value }: OtherValues['alternatives'][number]): boolean =>
      typeof value !== 'string' || !isOwn(offer.pointer, value)
    return { ...offer, alternatives: offer.alternatives.filter(isOfOthers) }
  })
}

/** The values of the sender that are those of a company of the office itself. */
function ownIn(partners: Partners, { name, vatId, accounts }: Sender): Own[] {
  const isOwn = (keys: Partial<PartnerKeys>): boolean =>
    partners.find({ name: null, vatId: null, accounts: [], ...keys }, true) !== null
  const own = (placed: Placed | null, keysOf: (value: string) => Partial<PartnerKeys>): Own[] =>
    placed === null || placed.value === null || !isOwn(keysOf(placed.value))
      ? []
      : [{ pointer: placed.pointer, value: placed.value }]
  return [
    ...own(name, (value) => ({ name: value })),
    ...own(vatId, (value) => ({ vatId: comparableCode(value) })),
    // Without a sender an account is whosever it is, as on a statement of the own bank.
    ...(name === null && vatId === null
      ? []
      : accounts.flatMap((account) => own(account, (value) => ({ accounts: [comparableCode(value)] })))),
  ]
}

/** Accounts that are known to be another's, or that nobody confirmed for a sender that has a known one. */
function otherAccounts(partners: Partners, partner: Partner | null, { name, accounts }: Sender): Flag[] {
  const known = partner?.accounts ?? []
  return accounts.flatMap(({ pointer, value }): Flag[] => {
    const account = comparableCode(value)
    if (account === '' || known.includes(account)) return []
    const holder = partners.find({ name: null, vatId: null, accounts: [account] })?.partner
    const printed = partner?.name ?? name?.value ?? null
    if (holder !== undefined && printed !== null && !mayBeSameName(holder.name, printed))
      return [{ code: 'account_of_other', pointer, account, holder: holder.name }]
    return known.length === 0 ? [] : [{ code: 'account_differs', pointer, account }]
  })
}
