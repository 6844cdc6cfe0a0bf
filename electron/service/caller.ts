import type { OrganizationRow } from '../../shared/service-control.ts'

/** Who a valid token speaks for: one client of an active administrator's account in an organization. */
export type Caller = { clientId: string; accountId: string; organization: OrganizationRow }
