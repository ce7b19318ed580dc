# gem install rack rackup puma, then: rackup
require "json"
require "net/http"

GEOLOOKUP = URI("https://geo.example.com/v1/geo")
OPTIONS = {
  use_ssl: GEOLOOKUP.scheme == "https",
  open_timeout: 0.2, read_timeout: 0.3, max_retries: 0,
}

# The location of a visitor; empty if the lookup fails.
def locate(visitor)
  headers = { "Authorization" => "Bearer YOUR_KEY", "X-Forwarded-For" => visitor }
  response = Net::HTTP.start(GEOLOOKUP.host, GEOLOOKUP.port, **OPTIONS) do |http|
    http.get(GEOLOOKUP.path, headers)
  end
  body = JSON.parse(response.body)
  return body unless body.key?("error")

  warn "#{body["error"]["message"]} #{body["error"]["docs"]}"
  {}
rescue StandardError
  {}
end

# In Rails, the visitor is request.remote_ip.
run ->(env) {
  city = locate(env["REMOTE_ADDR"])["city"] || "visitor"
  [200, { "content-type" => "text/plain; charset=utf-8" }, ["Hello, #{city}!"]]
}
