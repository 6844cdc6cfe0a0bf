import { fewestToSettle } from '../../../../shared/domain/learned.ts'
import { comparableName, mayBeSameName } from '../../../../shared/domain/partner.ts'
import type { Partner, PartnerValues } from '../../../../shared/domain/partner.ts'
import type { Database } from '../open.ts'

type Row = {
  id: number
  name: string
  vatId: string | null
  number: string | null
  bookAccount: string | null
  isOwn: number
  isNamed: number
  /** JSON */
  accounts: string
}

/** A partner, and by what it was found. */
export type PartnerMatch = { partner: Partner; by: 'vatId' | 'account' | 'name' }

/** By what a sender is known. */
export type PartnerKeys = { name: string | null; vatId: string | null; accounts: readonly string[] }

function prepare(db: Database) {
  const columns = `id, name, vat_id AS vatId, number, book_account AS bookAccount, is_own AS isOwn, is_named AS isNamed,
    (SELECT json_group_array(a.iban) FROM partner_accounts a WHERE a.partner_id = p.id) AS accounts`
  return {
    list: db.prepare<[], Row>(`SELECT ${columns} FROM partners p ORDER BY name_key, id`),
    byId: db.prepare<[number], Row>(`SELECT ${columns} FROM partners p WHERE id = ?`),
    any: db.prepare<[], { any: number }>('SELECT EXISTS (SELECT 1 FROM partners) AS any'),
    byVat: db.prepare<[string, number], Row>(
      `SELECT ${columns} FROM partners p WHERE vat_id = ? AND is_own = ? LIMIT 2`,
    ),
    byAccount: db.prepare<[string, number], Row>(
      `SELECT ${columns} FROM partners p WHERE id IN (SELECT partner_id FROM partner_accounts WHERE iban = ?) AND is_own = ? LIMIT 2`,
    ),
    byName: db.prepare<[string, number], Row>(
      `SELECT ${columns} FROM partners p WHERE name_key = ? AND is_own = ? LIMIT 2`,
    ),
    insert: db.prepare<[Record<string, unknown>]>(`
    INSERT INTO partners (name, name_key, vat_id, number, book_account, is_own, is_named, created_at)
    VALUES (@name, @key, @vatId, @number, @bookAccount, @isOwn, @isNamed, @now)`),
    update: db.prepare<[Record<string, unknown>]>(`
    UPDATE partners SET name = @name, name_key = @key, vat_id = @vatId, number = @number, book_account = @bookAccount,
      is_own = @isOwn, is_named = @isNamed
    WHERE id = @id`),
    remove: db.prepare<[number]>('DELETE FROM partners WHERE id = ?'),
    clearAccounts: db.prepare<[number]>('DELETE FROM partner_accounts WHERE partner_id = ?'),
    addAccount: db.prepare<[string, number]>(
      'INSERT INTO partner_accounts (iban, partner_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
    ),
    setBuyer: db.prepare<[number, string]>(
      'INSERT INTO approved_buyers (document_id, name_key) VALUES (?, ?) ON CONFLICT DO UPDATE SET name_key = excluded.name_key',
    ),
    clearBuyer: db.prepare<[number]>('DELETE FROM approved_buyers WHERE document_id = ?'),
    buyers: db.prepare<[string, number, number], { document: number }>(`
    SELECT b.document_id AS document FROM approved_buyers b JOIN documents d ON d.id = b.document_id
    WHERE b.name_key = ? AND b.document_id <> ? AND d.review = 'approved' AND NOT d.in_bin LIMIT ?`),
    takeAccount: db.prepare<[string], { id: number }>(`
    DELETE FROM partner_accounts
    WHERE iban = ? AND partner_id IN (SELECT id FROM partners WHERE is_own = 0) RETURNING partner_id AS id`),
    takeVat: db.prepare<[string], { id: number }>(
      'UPDATE partners SET vat_id = NULL WHERE vat_id = ? AND is_own = 0 RETURNING id',
    ),
  }
}

/** The senders that the office knows, and its own companies. */
export class PartnersTable {
  readonly #sql: ReturnType<typeof prepare>
  #isEmpty: boolean | null = null

  constructor(db: Database) {
    this.#sql = prepare(db)
  }

  /** Asked for each document: most offices begin without any. */
  get isEmpty(): boolean {
    return (this.#isEmpty ??= this.#sql.any.get()!.any === 0)
  }

  /** By name. */
  list(): Partner[] {
    return this.#sql.list.all().map(fromRow)
  }

  get(id: number): Partner | null {
    const row = this.#sql.byId.get(id)
    return row === undefined ? null : fromRow(row)
  }

  /**
   * The one partner that has the VAT number, else the one that has one of the accounts, unless its name is quite
   * another one (some sell their invoices, and share an account), else the one of that name; null where there is none,
   * or more than one. `isOwn`: among the office's own companies, else among the others.
   */
  find({ name, vatId, accounts }: PartnerKeys, isOwn = false): PartnerMatch | null {
    const own = Number(isOwn)
    const only = (rows: Row[]): Partner | null => (rows.length === 1 ? fromRow(rows[0]!) : null)
    const byVat = vatId === null ? null : only(this.#sql.byVat.all(vatId, own))
    if (byVat !== null) return { partner: byVat, by: 'vatId' }
    for (const iban of accounts) {
      const partner = only(this.#sql.byAccount.all(iban, own))
      if (partner !== null && (name === null || mayBeSameName(partner.name, name))) return { partner, by: 'account' }
    }
    const byName = name === null ? null : only(this.#sql.byName.all(comparableName(name), own))
    return byName === null ? null : { partner: byName, by: 'name' }
  }

  /** Returns its number. In a transaction of the caller. */
  put(id: number | null, values: PartnerValues & { isNamed: boolean }, now: number): number {
    const { accounts, ...rest } = values
    const row = {
      ...rest,
      key: comparableName(values.name),
      isOwn: Number(values.isOwn),
      isNamed: Number(values.isNamed),
    }
    this.#isEmpty = null
    const partnerId = id ?? Number(this.#sql.insert.run({ ...row, now }).lastInsertRowid)
    if (id !== null) this.#sql.update.run({ ...row, id })
    this.#sql.clearAccounts.run(partnerId)
    for (const iban of accounts) this.#sql.addAccount.run(iban, partnerId)
    return partnerId
  }

  /**
   * Takes a VAT number and accounts off the partners that are no company of the office's own, and returns these by
   * name: a number of the reader's own on a bill was learned as the sender's. In a transaction of the caller.
   */
  takeFromOthers({ vatId, accounts }: Pick<PartnerKeys, 'vatId' | 'accounts'>): string[] {
    const taken = [
      ...accounts.flatMap((iban) => this.#sql.takeAccount.all(iban)),
      ...(vatId === null ? [] : this.#sql.takeVat.all(vatId)),
    ]
    const ids = new Set(taken.map(({ id }) => id))
    return [...ids].map((id) => this.get(id)!.name).sort((one, other) => one.localeCompare(other))
  }

  /** Notes to whom a document is that is approved. */
  setBuyer(documentId: number, name: string | null): void {
    const key = name === null ? '' : comparableName(name)
    if (key === '') this.#sql.clearBuyer.run(documentId)
    else this.#sql.setBuyer.run(documentId, key)
  }

  /**
   * How many other documents that are approved are to somebody of this name, however it is written: as many as settle
   * a doubt at most.
   */
  approvalsOfBuyer(name: string, documentId: number): number {
    return this.#sql.buyers.all(comparableName(name), documentId, fewestToSettle).length
  }

  remove(id: number): void {
    this.#isEmpty = null
    this.#sql.remove.run(id)
  }
}

function fromRow({ isOwn, isNamed, accounts, ...row }: Row): Partner {
  return { ...row, isOwn: isOwn === 1, isNamed: isNamed === 1, accounts: JSON.parse(accounts) as string[] }
}
