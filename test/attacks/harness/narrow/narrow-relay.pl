#!/usr/bin/perl
# Relays loopback connections to a server, like a client on a slow network: with a tiny receive buffer and small segments.
# After the bytes of a handshake, it reads nothing. Node can't set a socket's receive buffer.
#   narrow-relay.pl HOST PORT REPLY_BYTES
# Prints its port, relays at most REPLY_BYTES of what the server sends on each connection, and exits with its parent
# (when standard input closes).
use strict;
use warnings;
use IO::Handle;
use Socket qw(:DEFAULT IPPROTO_TCP TCP_NODELAY);

my $TCP_MAXSEG = 2;    # Linux and BSD; not every Socket module exports it
my ($host, $port, $reply_bytes) = @ARGV;
my $server = sockaddr_in($port, inet_aton($host));
$SIG{PIPE} = 'IGNORE';

socket(my $listener, PF_INET, SOCK_STREAM, 0) or die "socket: $!";
bind($listener, sockaddr_in(0, INADDR_LOOPBACK)) or die "bind: $!";
listen($listener, 4096) or die "listen: $!";
my ($own_port) = sockaddr_in(getsockname($listener));
STDOUT->autoflush(1);
print "$own_port\n";

# By file number: the peer, how many bytes may still be read from this socket, and bytes not yet written to it.
my (%socket, %peer, %left, %unwritten);
my $reading = '';
my $writing = '';
vec($reading, fileno($_), 1) = 1 for $listener, *STDIN;

sub forget {
  for my $number (my @numbers = @_) {
    my $socket = delete $socket{$number} or next;
    vec($reading, $number, 1) = 0;
    vec($writing, $number, 1) = 0;
    delete $_->{$number} for \%peer, \%left, \%unwritten;
    close $socket;
  }
}

sub take {
  accept(my $client, $listener) or return;
  socket(my $narrow, PF_INET, SOCK_STREAM, 0) or return;
  setsockopt($narrow, SOL_SOCKET, SO_RCVBUF, 1024);
  setsockopt($narrow, IPPROTO_TCP, $TCP_MAXSEG, 536);
  setsockopt($narrow, IPPROTO_TCP, TCP_NODELAY, 1);
  connect($narrow, $server) or return;
  for ([$client, $narrow], [$narrow, $client]) {
    my ($one, $other) = @$_;
    $one->blocking(0);
    $socket{fileno $one} = $one;
    $peer{fileno $one} = fileno $other;
    $unwritten{fileno $one} = '';
    vec($reading, fileno($one), 1) = 1;
  }
  $left{fileno $narrow} = $reply_bytes;
  vec($reading, fileno($narrow), 1) = 0 if $reply_bytes == 0;
}

sub read_from {
  my ($number) = @_;
  my $peer = $peer{$number};
  my $wanted = exists $left{$number} && $left{$number} < 65536 ? $left{$number} : 65536;
  my $count = sysread($socket{$number}, my $bytes, $wanted);
  return if !defined $count && $!{EAGAIN};
  return forget($number, $peer) if !$count;
  if (exists $left{$number}) {
    $left{$number} -= $count;
    vec($reading, $number, 1) = 0 if $left{$number} == 0;
  }
  $unwritten{$peer} .= $bytes;
  write_to($peer);
}

sub write_to {
  my ($number) = @_;
  my $count = syswrite($socket{$number}, $unwritten{$number});
  return forget($number, $peer{$number}) if !defined $count && !$!{EAGAIN};
  substr($unwritten{$number}, 0, $count) = '' if $count;
  my $waits = length $unwritten{$number} > 0 ? 1 : 0;
  vec($writing, $number, 1) = $waits;
  # If the server stops reading, don't buffer more.
  vec($reading, $peer{$number}, 1) = $waits ? 0 : 1 if !exists $left{$peer{$number}};
}

while (1) {
  my ($readable, $writable) = ($reading, $writing);
  next if select($readable, $writable, undef, undef) < 0;
  last if vec($readable, fileno(STDIN), 1) && !sysread(STDIN, my $ignored, 1);
  take() if vec($readable, fileno($listener), 1);
  my $ready = unpack 'b*', $readable | $writable;
  while ($ready =~ /1/g) {
    my $number = pos($ready) - 1;
    write_to($number) if exists $socket{$number} && vec($writable, $number, 1);
    read_from($number) if exists $socket{$number} && vec($readable, $number, 1);
  }
}
