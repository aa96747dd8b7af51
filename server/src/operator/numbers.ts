/** What customers see of a number, whom it blocks, and which words it listens to. */
export { BlockRequest } from '../contract/blocked.ts'
export { AutomationChange, KeywordsChange, LinkRequest } from '../contract/messages/entry-points.ts'
export { ProfileChanges } from '../contract/profile.ts'
export { blockCustomers, listBlocked, unblockCustomer } from '../messages/blocked.ts'
export { getKeywords, setKeywords } from '../messages/keywords.ts'
export {
  deleteLink,
  getAutomation,
  getProfile,
  listLinks,
  saveLink,
  setAutomation,
  updateProfile,
} from '../profile/profile.ts'
