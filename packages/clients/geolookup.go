// Package geolookup locates the visitors of a web application with a geolookup service. Copy this file to
// geolookup/geolookup.go in your module; it needs only Go 1.19 or newer.
//
//	geo, err := geolookup.New("https://geo.example.com", os.Getenv("GEO_KEY"), "127.0.0.1", "10.0.0.0/8")
//	record := geo.Locate(request) // nil if the lookup fails
//
// After the key, list every proxy between your visitors and your application: addresses and CIDRs, and "unix" if the last
// one connects through a Unix socket. X-Forwarded-For is read only from these, so visitors can't choose their location.
package geolookup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	maxEntries   = 10_000
	maxBodyBytes = 65_536
	logInterval  = time.Minute
)

// A Record is where a visitor is. A field is nil if it couldn't be determined or isn't on the key's plan.
type Record struct {
	IP             *string  `json:"ip"`
	Country        *string  `json:"country"`
	CountryName    *string  `json:"countryName"`
	Continent      *string  `json:"continent"`
	IsEUCountry    *bool    `json:"isEUCountry"`
	Region         *string  `json:"region"`
	RegionCode     *string  `json:"regionCode"`
	City           *string  `json:"city"`
	Timezone       *string  `json:"timezone"`
	PostalCode     *string  `json:"postalCode"`
	Latitude       *string  `json:"latitude"`
	Longitude      *string  `json:"longitude"`
	ASN            *int64   `json:"asn"`
	ASOrganization *string  `json:"asOrganization"`
	Currency       *string  `json:"currency"`
	Languages      []string `json:"languages"`
	MetroCode      *string  `json:"metroCode"`
}

// A Client looks up visitors. It is safe for concurrent use: create one for the whole application.
type Client struct {
	Timeout time.Duration // Deadline of a whole lookup. Default: 500 ms.

	endpoint   string
	key        string
	proxies    []netip.Prefix
	trustsUnix bool
	mutex      sync.Mutex
	cache      map[netip.Addr]entry
	lastError  string
	loggedAt   time.Time
}

type entry struct {
	record  Record
	expires time.Time
}

var (
	httpClient = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	hopPattern = regexp.MustCompile(`^(?:\[([^\]]*:[^\]]*)\](?::\d{1,5})?|([^:]*):\d{1,5}|(.*))$`)
	maxAge     = regexp.MustCompile(`\bmax-age=(\d{1,9})`)
)

// New returns a client for the API at baseURL, or an error that names the invalid argument.
func New(baseURL, key string, trustedProxies ...string) (*Client, error) {
	key = strings.TrimSpace(key)
	base, err := url.Parse(baseURL)
	if err != nil || base.Host == "" || key == "" {
		return nil, errors.New("geolookup: baseURL must be the base address of the API, and key must not be empty")
	}
	c := &Client{Timeout: 500 * time.Millisecond, key: key, cache: map[netip.Addr]entry{}}
	c.endpoint = strings.TrimRight(baseURL, "/") + "/v1/geo"
	for _, text := range trustedProxies {
		if text == "unix" {
			c.trustsUnix = true
		} else if prefix, err := netip.ParsePrefix(text); err == nil {
			c.proxies = append(c.proxies, prefix)
		} else if address, err := netip.ParseAddr(text); err == nil {
			c.proxies = append(c.proxies, netip.PrefixFrom(address, address.BitLen()))
		} else {
			return nil, fmt.Errorf("geolookup: %q isn't a valid address or CIDR", text)
		}
	}
	return c, nil
}

// Visitor returns who sent a request: the peer or, if that is one of your proxies, the last entry of X-Forwarded-For that
// isn't. It isn't valid if the peer has no address.
func (c *Client) Visitor(r *http.Request) netip.Addr {
	current := parseHop(r.RemoteAddr)
	if !current.IsValid() && !c.trustsUnix {
		return current
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0; i-- {
		if current.IsValid() && !c.trusts(current) {
			break
		}
		hop := parseHop(hops[i])
		if !hop.IsValid() {
			break
		}
		current = hop
	}
	return current
}

// Locate returns the record of the visitor who sent a request, or nil if the lookup fails.
func (c *Client) Locate(r *http.Request) *Record {
	visitor := c.Visitor(r)
	if !visitor.IsValid() {
		return nil
	}
	c.mutex.Lock()
	cached := c.cache[visitor]
	c.mutex.Unlock()
	if time.Now().Before(cached.expires) {
		return &cached.record
	}
	ctx, cancel := context.WithTimeout(r.Context(), c.Timeout)
	defer cancel()
	found, err := c.request(ctx, visitor)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if err != nil {
		if text := err.Error(); text != c.lastError || time.Since(c.loggedAt) >= logInterval {
			c.lastError, c.loggedAt = text, time.Now()
			log.Printf("geolookup: %s", text)
		}
		return nil
	}
	for old := range c.cache {
		if len(c.cache) < maxEntries {
			break
		}
		delete(c.cache, old)
	}
	c.cache[visitor] = found
	return &found.record
}

func (c *Client) request(ctx context.Context, visitor netip.Addr) (found entry, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.endpoint, nil)
	if err != nil {
		return found, err
	}
	request.Header.Set("Authorization", "Bearer "+c.key)
	request.Header.Set("X-Forwarded-For", visitor.String())
	response, err := httpClient.Do(request)
	if err != nil {
		return found, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxBodyBytes))
	if err != nil {
		return found, err
	}
	body := struct {
		*Record
		Error struct{ Message, Docs string }
	}{Record: &found.record}
	if err := json.Unmarshal(text, &body); err != nil {
		return found, fmt.Errorf("status %d, but not a geolookup response: %w", response.StatusCode, err)
	}
	if response.StatusCode != http.StatusOK {
		return found, fmt.Errorf("status %d: %s %s", response.StatusCode, body.Error.Message, body.Error.Docs)
	}
	vary := strings.ToLower(strings.ReplaceAll(strings.Join(response.Header.Values("Vary"), ","), " ", ""))
	// Without an address to compare, the service's notice tells whose location this is.
	isVisitors := !strings.Contains(response.Header.Get("X-Geolookup-Notice"), "own location")
	if found.record.IP != nil {
		isVisitors = parseHop(*found.record.IP) == visitor
	}
	if !strings.Contains(","+vary+",", ",x-forwarded-for,") || !isVisitors {
		return found, errors.New("this key can't look up visitors. Ask the operator for one issued with --forward")
	}
	if match := maxAge.FindStringSubmatch(response.Header.Get("Cache-Control")); match != nil {
		seconds, _ := strconv.Atoi(match[1])
		found.expires = time.Now().Add(time.Duration(seconds) * time.Second)
	}
	return found, nil
}

func (c *Client) trusts(address netip.Addr) bool {
	for _, prefix := range c.proxies {
		if prefix.Contains(address) {
			return true
		}
	}
	return false
}

// parseHop parses an address, possibly with brackets, port or zone. The result isn't valid if the text isn't one.
func parseHop(text string) netip.Addr {
	match := hopPattern.FindStringSubmatch(strings.TrimSpace(text))
	if match == nil {
		return netip.Addr{}
	}
	address, _ := netip.ParseAddr(match[1] + match[2] + match[3])
	return address.Unmap().WithZone("")
}
