# Locates the visitors of a web application with a geolookup service. Copy this file; it needs only Ruby 3.0 or newer.
#
#   geo = Geolookup.new("https://geo.example.com", ENV.fetch("GEO_KEY"), trusted_proxies: ["127.0.0.1", "10.0.0.0/8"])
#   record = geo.locate(env["REMOTE_ADDR"], env["HTTP_X_FORWARDED_FOR"]) # a Hash; nil if the lookup fails
#
# `trusted_proxies` lists every proxy between your visitors and your application: addresses and CIDRs. X-Forwarded-For is read
# only from these, so visitors can't choose their location.

require "ipaddr"
require "json"
require "net/http"

# Thread-safe: create one for the whole application.
class Geolookup
  MAX_ENTRIES = 10_000
  LOG_INTERVAL_SECONDS = 60
  HOP = /\A(?:\[([^\]]*:[^\]]*)\](?::\d{1,5})?|([^:]*):\d{1,5}|(.*))\z/
  private_constant :MAX_ENTRIES, :LOG_INTERVAL_SECONDS, :HOP

  # `timeout` is the deadline of a whole lookup, in seconds.
  def initialize(url, key, trusted_proxies: [], timeout: 0.5)
    @key = key.to_s.strip
    @url = URI("#{url.chomp("/")}/v1/geo")
    raise ArgumentError, "url must be the base address of the API" unless @url.is_a?(URI::HTTP)
    raise ArgumentError, "key must not be empty" if @key.empty?

    @proxies = trusted_proxies.map { |proxy| IPAddr.new(proxy) }
    @timeout = timeout
    @cache = {}
    @mutex = Mutex.new
    @last_message = nil
    @logged_at = 0
  end

  # The visitor's address: the peer or, if that is one of your proxies, the last entry of X-Forwarded-For that isn't.
  # nil if the peer has no address.
  def visitor(peer, forwarded_for = nil)
    current = parse(peer.to_s)
    forwarded_for.to_s.split(",", -1).reverse_each do |hop|
      break if current.nil? || @proxies.none? { |proxy| proxy.family == current.family && proxy.include?(current) }

      entry = parse(HOP.match(hop.strip)&.captures&.compact&.first.to_s)
      break if entry.nil?

      current = entry
    end
    current&.to_s
  end

  # The record of the visitor who sent a request; nil if the lookup fails.
  def locate(peer, forwarded_for = nil)
    visitor = visitor(peer, forwarded_for)
    return if visitor.nil?

    record, expires = @mutex.synchronize { @cache[visitor] }
    return record if record && now < expires

    # Timeouts of Net::HTTP are for each read. The thread limits the whole lookup.
    lookup = Thread.new { look_up(visitor) }
    return lookup.value if lookup.join(@timeout)

    lookup.kill
    warn_rarely("no response within #{@timeout} s")
  end

  private

  def look_up(visitor)
    record, max_age = request(visitor)
    @mutex.synchronize do
      @cache.delete(visitor)
      @cache.shift if @cache.size >= MAX_ENTRIES
      @cache[visitor] = [record, now + max_age]
    end
    record
  rescue StandardError => e # A failed lookup never breaks a page.
    warn_rarely("#{e.class}: #{e.message}")
  end

  def request(visitor)
    headers = { "Authorization" => "Bearer #{@key}", "X-Forwarded-For" => visitor }
    options = { use_ssl: @url.scheme == "https", open_timeout: @timeout, read_timeout: @timeout, max_retries: 0 }
    response = Net::HTTP.start(@url.host, @url.port, options) { |http| http.get(@url.path, headers) }
    body = JSON.parse(response.body, freeze: true)
    raise "#{body["error"]["message"]} #{body["error"]["docs"]}" unless response.code == "200"

    varies = response["Vary"].to_s.downcase.split(/\s*,\s*/).include?("x-forwarded-for")
    # Without an address to compare, the service's notice tells whose location this is.
    is_own = response["X-Geolookup-Notice"].to_s.include?("own location")
    unless varies && (body["ip"] ? parse(body["ip"]) == parse(visitor) : !is_own)
      raise "this key can't look up visitors. Ask the operator for one issued with --forward"
    end

    [body, response["Cache-Control"].to_s[/\bmax-age=(\d+)/, 1].to_i]
  end

  # Logs a failure; the same one again only after a minute.
  def warn_rarely(message)
    return if message == @last_message && now < @logged_at + LOG_INTERVAL_SECONDS

    @last_message = message
    @logged_at = now
    warn("geolookup: #{message}")
  end

  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

  # nil if the text isn't an address. IPAddr also takes CIDRs and brackets.
  def parse(text)
    text = text.split("%").first if text.include?(":")
    return if text.match?(%r{[/\[]})

    address = IPAddr.new(text)
    address.ipv4_mapped? ? address.native : address
  rescue IPAddr::Error
    nil
  end
end
