import { createHash } from "node:crypto";

/** A Lua script, run by its hash. */
export interface Script {
  text: string;
  sha1: string;
}

/**
 * The prefix of a caller's key. Its value is text: the end of the hour (ms), then each gateway and its admitted requests. The
 * key expires when the hour ends. Only Redis's clock decides when hours start and end, so gateways' clocks may differ.
 * A request takes a GET and a SET; a hash with an expiry would take four commands. During an upgrade, older
 * gateways use hashes under `glh:`.
 */
export const CALLER_PREFIX = "glh2:";

/** In front of every key on a server in cluster mode, so that all are in one slot. */
export const ONE_SLOT = "{glh2}";

/** Has a random value. If it changes or is missing, Redis has lost its data. */
export const EPOCH_KEY = "glh2-epoch";

/** The channel on which gateways receive each other's counts, so that each can continue without Redis. */
export const UPDATE_CHANNEL = "glh2-news";

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/**
 * Admits requests of many callers in one step.
 * KEYS: the epoch key, then one per caller. ARGV: epoch, gateway, the time (ms) until which requests may be admitted; then for
 * each caller, all in one: this gateway's count in the hour (Redis may have missed some), the hour's end (ms; 0: not known), the number of
 * requests to admit and the hourly limit. Finally, the call's ID.
 * Returns the ID, the time (ms), 1 if it is too late to admit requests, otherwise 0, then for each caller: this gateway's count, how many
 * requests were admitted, the hour's end (ms; 0: it hasn't begun), and the name and count of each other gateway.
 * Returns only the ID, without effect, if the epoch doesn't match.
 * After the time in ARGV[3] it is too late: the gateway has decided without Redis by then. It may also have merged its count into Redis
 * over another connection, so that admitting the requests here would count them twice.
 */
export const TAKE = script(`
local call, match = redis.call, string.match
local id = ARGV[#ARGV]
if call('GET', KEYS[1]) ~= ARGV[1] then return { id } end
${NOW}
local gateway, isLate = ARGV[2], now > tonumber(ARGV[3])
local update = call('PUBSUB', 'NUMSUB', '${UPDATE_CHANNEL}')[2] > 1 and { gateway }
local results = { id, now, isLate and 1 or 0 }

local function take(key, own, ends, requested, limit)
  if ends <= now then own, ends = 0, now + 3600000 end
  local stored, others, text, known = 0, 0, '', call('GET', key)
  -- Text that isn't an hour is overwritten.
  local expires = known and tonumber(match(known, '^%d+'))
  local result = { 0, 0, 0 }
  if expires then
    for name, count in string.gmatch(known, ' (%S+) (%d+)') do
      if name == gateway then
        stored = tonumber(count)
      else
        others = others + tonumber(count)
        result[#result + 1] = name
        result[#result + 1] = tonumber(count)
        text = text .. ' ' .. name .. ' ' .. count
      end
    end
  end
  own = math.max(own, stored)
  local granted = isLate and 0 or math.max(0, math.min(requested, limit - others - own))
  own = own + granted
  if own > stored then
    if not expires or ends < expires then expires = ends end
    call('SET', key, expires .. ' ' .. gateway .. ' ' .. own .. text, 'PXAT', expires)
    if update then
      update[#update + 1] = key
      update[#update + 1] = own
      update[#update + 1] = expires
    end
  end
  result[1], result[2], result[3] = own, granted, expires or 0
  return result
end

for i = 2, #KEYS do
  local own, ends, requested, limit = match(ARGV[i + 2], '^(%d+) (%d+) (%d+) (%d+)$')
  results[i + 2] = take(KEYS[i], tonumber(own), tonumber(ends), tonumber(requested), tonumber(limit))
end
if update and #update > 1 then call('PUBLISH', '${UPDATE_CHANNEL}', table.concat(update, ' ')) end
return results
`);

/**
 * Merges this gateway's counts into Redis, keeping the greater of each. Repeating it has no effect.
 * KEYS: the epoch key, then one per caller. ARGV: an epoch in case Redis has none; then for each caller the hour's end (ms),
 * the number of gateways, and the name and count of each; then the call's ID.
 * Returns the ID, the time (ms) and the epoch.
 */
export const MERGE = script(`
redis.call('SET', KEYS[1], ARGV[1], 'NX')
${NOW}
local at = 2
for i = 2, #KEYS do
  local key, ends, gateways = KEYS[i], tonumber(ARGV[at]), tonumber(ARGV[at + 1])
  at = at + 2
  if ends > now then
    local counts, known = {}, redis.call('GET', key)
    if known then
      ends = math.min(ends, tonumber(string.match(known, '^%d+')) or ends)
      for name, count in string.gmatch(known, ' (%S+) (%d+)') do counts[name] = tonumber(count) end
    end
    for j = at, at + 2 * gateways - 1, 2 do
      counts[ARGV[j]] = math.max(counts[ARGV[j]] or 0, tonumber(ARGV[j + 1]))
    end
    local text = ends
    for name, count in pairs(counts) do
      if count > 0 then text = text .. ' ' .. name .. ' ' .. count end
    end
    redis.call('SET', key, text, 'PXAT', ends)
  end
  at = at + 2 * gateways
end
return { ARGV[#ARGV], now, redis.call('GET', KEYS[1]) }
`);

/** A script with its hash. */
function script(text: string): Script {
  return { text, sha1: createHash("sha1").update(text).digest("hex") };
}
