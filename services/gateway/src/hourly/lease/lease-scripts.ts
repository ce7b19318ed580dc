import { HOUR_MS } from "../hourly-limit.ts";
import { CALLER_PREFIX, script, UPDATE_CHANNEL } from "../redis-scripts.ts";

/** The stream in which the lease's holder logs the hours that it changes. Each hour is over when its entry is an hour old. */
export const LOG_KEY = "glh2-log";

/** How long Redis keeps a lease that isn't renewed. */
export const LEASE_MS = 1_000;
/** With more, reading them all would keep Redis busy for seconds. */
const MAX_KEYS = 500_000;
/** Keys per script, so that none blocks Redis for long. */
const KEYS_PER_PAGE = 500;

export type LeaseCommand = "claim" | "hold" | "release";

/**
 * Claims, renews or releases the lease, and first appends to the log.
 * KEYS: the lease, the log. ARGV: the gateway, the command, the hours to append or `""`.
 * Returns whether the gateway holds the lease now (1 or 0), and the ID of the new entry or `""`.
 * A lease isn't given or renewed while other gateways are connected: they wait until its holder has released it, with the rest of its log. So
 * if a gateway is alone and another one has the lease, that one has crashed, and a claim replaces it. The other commands have no
 * effect for a gateway that doesn't hold the lease. A claim uses every command, so that it fails if the user may not run one of them.
 */
export const LEASE = script(`
local call, gateway, command = redis.call, ARGV[1], ARGV[2]
local others = call('PUBSUB', 'NUMSUB', '${UPDATE_CHANNEL}')[2] > 1
local isClaim = command == 'claim'
if isClaim then
  if others or call('DBSIZE') > ${MAX_KEYS} then return { 0, '' } end
elseif call('GET', KEYS[1]) ~= gateway then
  return { 0, '' }
end
local oldest = call('TIME')[1] * 1000 - ${HOUR_MS}
call('XTRIM', KEYS[2], 'MINID', string.format('%d', oldest))
if isClaim or command == 'release' then call('DEL', KEYS[1]) end
local id = ''
if isClaim then
  call('XRANGE', KEYS[2], '-', '+', 'COUNT', 1)
  call('PEXPIRE', KEYS[2], ${HOUR_MS})
end
if isClaim or ARGV[3] ~= '' then
  id = call('XADD', KEYS[2], '*', 'gateway', gateway, 'hours', ARGV[3])
  call('PEXPIRE', KEYS[2], ${HOUR_MS})
end
if others or command == 'release' then return { 0, id } end
call('SET', KEYS[1], gateway, 'PX', ${LEASE_MS})
return { 1, id }
`);

/**
 * Reads the log after an entry. KEYS: the log. ARGV: the entry's ID, the maximum number of entries. Returns the ID, gateway and hours of
 * each; nothing if the user may not read it, since a claim then fails, too.
 */
export const READ_LOG = script(`
local entries, read = redis.pcall('XRANGE', KEYS[1], '(' .. ARGV[1], '+', 'COUNT', ARGV[2]), {}
if entries.err then return read end
for _, entry in ipairs(entries) do
  read[#read + 1] = { entry[1], entry[2][2], entry[2][4] }
end
return read
`);

/** Drops the log's entries before an ID. KEYS: the log. ARGV: the ID. */
export const TRIM_LOG = script(`return redis.call('XTRIM', KEYS[1], 'MINID', ARGV[1])`);

/** Reads some callers. ARGV: the cursor, `0` at first. Returns the next cursor (`0` at the end), then keys and values in turn. */
export const SCAN_CALLERS = script(`
local page = redis.call('SCAN', ARGV[1], 'MATCH', '${CALLER_PREFIX}*', 'COUNT', ${KEYS_PER_PAGE}, 'TYPE', 'string')
local read = { page[1] }
for _, key in ipairs(page[2]) do
  local value = redis.call('GET', key)
  if value then
    read[#read + 1] = key
    read[#read + 1] = value
  end
end
return read
`);
